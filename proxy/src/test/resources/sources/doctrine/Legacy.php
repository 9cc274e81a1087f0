<?php
namespace Documents\Sharded;

/**
 * Note: an apostrophe's here.
 *
 * @ODM\Document(collection="sharded.one")
 * @ODM\ShardKey(keys={
 *     "k"="asc",
 *     "v"="hashed"
 * })
 */
class ShardedOne
{
    /** @ODM\Field(name="k", type="string") */
    public $key = '/** @ODM\ShardKey(keys={"string"="asc"}) */';
}

/** @Document @ShardKey(keys={"_id"="hashed"}) */
abstract class Visit {}
