import * as schemas from "./schema";

export const Device = model<IDevice, Model<IDevice>>("Device", schemas.deviceSchema);
