<?php

declare(strict_types=1);

namespace Documents;

use Doctrine\ODM\MongoDB\Mapping\Annotations as ODM;

# a comment with an apostrophe: it's
#[ODM\Document(db: 'accounts', collection: 'users')]
#[ODM\Index(keys: ['username' => 'asc'])]
#[ODM\ShardKey(keys: ['country' => 'asc', 'username' => 'hashed'], unique: false)]
final class User
{
    #[ODM\Id]
    public string $id;

    public string $note = "#[ShardKey(keys: ['no' => 1])] class {$id}";
}

#[Document, ShardKey(keys: ['sku' => 1], unique: true)]
class StockItem {}

// #[ShardKey(keys: ['commented' => 1])]
class Plain {}

#[ShardKey(keys: self::KEYS)]
class Computed
{
    private string $text = <<<TXT
        it's { not code
        TXT;
}
