import mongoengine as me
from mongoengine import Document, StringField

# meta = {'shard_key': ('commented',)}


class LogEntry(Document):
    """A docstring: meta = {'shard_key': ('no',)}, it's { here."""

    machine = StringField(db_field='m', required=True)
    app = StringField(
        db_field="a",
    )
    timestamp = me.DateTimeField()

    meta = {
        'shard_key': ('machine', 'timestamp', "app"),  # a comment
        'indexes': [('machine', 'timestamp')],
    }

    class Nested:
        meta = {'other': 1}


class HTTPVisit(me.DynamicDocument):
    number = me.IntField(primary_key=True)
    meta = dict(shard_key=('number',), collection='visits')


class Camera(me.Document):
    meta = {"shard_key": ["pk"]}


class Special(LogEntry):
    meta = {'shard_key': ('machine',)}


class Computed(Document):
    meta = {'shard_key': KEYS}
