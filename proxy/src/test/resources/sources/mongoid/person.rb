# shard_key :commented
class Person
  include Mongoid::Document
  field :ssn
  field :c, as: :country, type: String
  belongs_to :employer, class_name: "Company"

  NOTE = "shard_key :in_a_string do #{'class'}"

  shard_key country: 1,
            employer: 1, # two lines
            "address.city": 1

  index country: 1
end

=begin
class Old
  shard_key :old
end
=end

module Shop
  module Admin
    class HTTPVisit
      include Mongoid::Document
      shard_key :id
    end
  end

  class Box
    include Mongoid::Document
    store_in collection: "crates", database: 'warehouse'
    shard_key({ sku: :hashed }, unique: true)

    def text
      <<~SQL
        it's shard_key :sql
      SQL
    end
  end

  class Special < Box
    shard_key :sku
  end
end

class Category
  shard_key :name, :parent
end

class Computed
  shard_key key_of(:a)
end
