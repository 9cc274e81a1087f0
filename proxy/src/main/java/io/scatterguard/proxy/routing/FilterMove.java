package io.scatterguard.proxy.routing;

import io.scatterguard.proxy.routing.Filter.And;
import io.scatterguard.proxy.routing.Filter.Compare;
import io.scatterguard.proxy.routing.Filter.ElemMatchObject;
import io.scatterguard.proxy.routing.Filter.ElemMatchValue;
import io.scatterguard.proxy.routing.Filter.Exists;
import io.scatterguard.proxy.routing.Filter.Expression;
import io.scatterguard.proxy.routing.Filter.Nor;
import io.scatterguard.proxy.routing.Filter.Not;
import io.scatterguard.proxy.routing.Filter.Or;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Moves one conjunct of a {@code $match} in front of a stage: as a whole, or not at all. */
record FilterMove(StageEffect stage, RouterRelease release, IntervalBudget budget) {
    /** A stage costs something by itself. */
    private static final int STEPS_OF_STAGE = 8;

    /** The conjunct as it reads in front; null if it stays. Of a {@code $nor} the branches move that can. */
    @Nullable Filter conjunct(Filter filter) {
        if (!(filter instanceof Nor nor)) {
            return move(filter);
        }
        List<Filter> moved = new ArrayList<>(nor.members().size());
        for (Filter member : nor.members()) {
            Filter before = move(member);
            if (before != null) {
                moved.add(before);
            }
        }
        return moved.isEmpty() ? null : new Nor(moved);
    }

    private @Nullable Filter move(Filter filter) {
        if (filter instanceof And and) {
            List<Filter> members = moveAll(and.members());
            return members == null ? null : new And(members);
        } else if (filter instanceof Or or) {
            List<Filter> members = moveAll(or.members());
            return members == null ? null : new Or(members);
        } else if (filter instanceof Nor nor) {
            List<Filter> members = moveAll(nor.members());
            return members == null ? null : new Nor(members);
        } else if (filter instanceof Not not) {
            Filter member = move(not.member());
            return member == null ? null : new Not(member);
        } else if (filter instanceof Filter.Always) {
            return filter;
        }
        return predicate(filter);
    }

    private @Nullable List<Filter> moveAll(List<Filter> filters) {
        List<Filter> moved = new ArrayList<>(filters.size());
        for (Filter filter : filters) {
            Filter member = move(filter);
            if (member == null) {
                return null;
            }
            moved.add(member);
        }
        return moved;
    }

    private @Nullable Filter predicate(Filter predicate) {
        if (predicate instanceof Expression expression) {
            return expression(expression);
        }
        if (predicate instanceof ElemMatchObject || predicate instanceof ElemMatchValue) {
            if (release.atLeast(7, 0)) {
                throw FilterException.notUnderstood();
            }
            return null;
        }
        String path = predicate.path();
        if (path.isEmpty()) {
            throw FilterException.notUnderstood();
        }
        String before = pathBefore(path, predicate);
        if (before == null) {
            return null;
        }
        if (before.equals(path)) {
            return predicate;
        }
        boolean ofExpression = predicate instanceof Compare compare && !compare.bracketed();
        if (ofExpression) {
            throw FilterException.notUnderstood();
        }
        return Filters.withPath(predicate, before);
    }

    /** An expression moves if every field it reads stays what it is. */
    private @Nullable Filter expression(Expression expression) {
        if (expression.everything()) {
            throw FilterException.notUnderstood();
        }
        for (String path : expression.paths()) {
            String before = pathBefore(path, expression);
            if (before == null) {
                return null;
            }
            if (!before.equals(path)) {
                throw FilterException.notUnderstood();
            }
        }
        return expression;
    }

    /** The path in front of the stage; null if the stage changes it. */
    private @Nullable String pathBefore(String path, Filter predicate) {
        budget.step(STEPS_OF_STAGE
                + stage.unsure().size()
                + stage.renames().size()
                + stage.paths().size());
        if (!stage.unsure().isEmpty()) {
            requireSettled(path);
        }
        for (var rename : stage.renames().entrySet()) {
            if (isAtOrBelow(path, rename.getKey())) {
                // A group key that is missing becomes null, so existence cannot be asked for in front.
                boolean lost = stage.allExcept() && predicate instanceof Exists;
                budget.copy(path.length() + rename.getValue().length());
                return lost
                        ? null
                        : rename.getValue() + path.substring(rename.getKey().length());
            }
        }
        if (stage.allExcept()) {
            for (String kept : stage.paths()) {
                if (isAtOrBelow(path, kept)) {
                    return path;
                }
            }
            return null;
        }
        for (String changed : stage.paths()) {
            if (overlaps(path, changed)) {
                return null;
            }
        }
        return path;
    }

    private void requireSettled(String path) {
        for (String unsure : stage.unsure()) {
            if (overlaps(path, unsure)) {
                throw FilterException.notUnderstood();
            }
        }
    }

    private static boolean overlaps(String a, String b) {
        return isAtOrBelow(a, b) || isAtOrBelow(b, a);
    }

    private static boolean isAtOrBelow(String path, String parent) {
        return path.startsWith(parent) && (path.length() == parent.length() || path.charAt(parent.length()) == '.');
    }
}
