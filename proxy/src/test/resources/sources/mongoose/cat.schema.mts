import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';

@Schema({ timestamps: true, shardKey: { owner: 1 } })
export class Cat {
  @Prop({ type: String, default: '}' })
  owner: string;
}

@Schema({ collection: 'hounds', shardKey: { owner: 'hashed' } })
export class Dog {}

export const CatSchema = SchemaFactory.createForClass(Cat);
