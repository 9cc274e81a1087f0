package io.scatterguard.proxy.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.bson.BsonDocument;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MultikeyPlanTest {
    /** The plans of a mongod before and with the newer engine, and of a mongos with its shards. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {queryPlanner: {winningPlan: {stage: 'FETCH', inputStage: {stage: 'IXSCAN', isMultiKey: false}}}} | false
            {queryPlanner: {winningPlan: {stage: 'FETCH', inputStage: {stage: 'IXSCAN', isMultiKey: true}}}} | true
            {queryPlanner: {winningPlan: {queryPlan: {stage: 'FETCH', inputStage: {isMultiKey: true}}, slotBasedPlan: {}}}} | true
            {queryPlanner: {winningPlan: {shards: [{winningPlan: {isMultiKey: true}}, {winningPlan: {isMultiKey: false}}]}}} | true
            {queryPlanner: {winningPlan: {shards: [{winningPlan: {isMultiKey: false}}, {winningPlan: {isMultiKey: true}}]}}} | true
            {queryPlanner: {winningPlan: {shards: [{winningPlan: {isMultiKey: false}}, {winningPlan: {isMultiKey: false}}]}}} | false
            {queryPlanner: {winningPlan: {stage: 'EOF'}}} |
            {queryPlanner: {winningPlan: {isMultiKey: 'yes'}}} |
            """)
    void whatThePlanSaysOfItsIndex(String plan, Boolean expected) {
        assertThat(DatabaseReader.multikey(BsonDocument.parse(plan), 0)).isEqualTo(Optional.ofNullable(expected));
    }
}
