package shop

@org.springframework.data.mongodb.core.mapping.Sharded(shardKey = ["country", "userId"], shardingStrategy = ShardingStrategy.HASH)
private const val unrelated = 1

@Document("users")
@Sharded(shardKey = ["country", "userId"])
data class User(
    @Id val id: Long,
    @field:Field("userid") val userId: String,
    val country: String = """ { "raw" } """,
)

@Sharded("tenant", "id")
@Document(value = "events")
class Event {
    lateinit var tenant: String
}

@Sharded(shardKey = arrayOf("sku"), shardingStrategy = ShardingStrategy.RANGE)
internal data class StockItem(@Field(name = "s") var sku: String?)
