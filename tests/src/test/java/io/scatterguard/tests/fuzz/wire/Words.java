package io.scatterguard.tests.fuzz.wire;

import java.util.List;
import java.util.stream.Stream;

/** What a fuzzer cannot guess: names that the proxy looks for. */
final class Words {
    private static final String FILTERS =
            "$and $or $nor $not $eq $ne $gt $gte $lt $lte $in $nin $exists $type $all $elemMatch $size"
                    + " $regex $options $mod $expr $comment $where $text $search $near $nearSphere $geoWithin $geoIntersects $box"
                    + " $geometry $jsonSchema $alwaysTrue $alwaysFalse $sampleRate $bitsAllSet $db $literal $getField $let $cond $const";
    private static final String COMMANDS =
            "find aggregate delete update insert findAndModify findandmodify count distinct getMore"
                    + " explain mapReduce mapreduce bulkWrite killCursors hello isMaster ismaster saslStart saslContinue"
                    + " authenticate logout ping listDatabases createIndexes drop endSessions commitTransaction abortTransaction";
    private static final String FIELDS =
            "filter query q u pipeline cursor deletes updates documents ops nsInfo ns multi upsert limit"
                    + " collation locale simple hint let sort projection key verbosity comment lsid txnNumber autocommit"
                    + " startTransaction readConcern writeConcern level ordered new remove fields $readPreference mode client"
                    + " compression speculativeAuthenticate mechanism payload maxTimeMS rawData bypassDocumentValidation arrayFilters";
    private static final String STAGES =
            "$match $lookup $graphLookup $unionWith $facet $out $merge $group $project $addFields $set"
                    + " $unset $unwind $sort $limit $skip $replaceRoot $replaceWith $changeStream $indexStats $collStats $geoNear"
                    + " $documents $currentOp $sample $bucket from into coll as pipeline localField foreignField";
    private static final String KEY = "a b c b.c a.b a.0 _id test.c test.$cmd admin.$cmd $query $orderby";

    static final List<String> ALL = Stream.of(FILTERS, COMMANDS, FIELDS, STAGES, KEY)
            .flatMap(words -> Stream.of(words.split(" ")))
            .distinct()
            .toList();

    private Words() {}
}
