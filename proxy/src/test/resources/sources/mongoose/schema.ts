import { Schema, model, type Model } from "mongoose";

export interface IDevice { serial: string; kind: "a" | "b" }

export const deviceSchema: Schema<IDevice, Model<IDevice>> = new Schema<IDevice, Model<IDevice, {}>>(
  { serial: String },
  { shardKey: { serial: 1 } as const },
);
