/** The members of a JSON object. */
export type Members = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Reports whether a value has the members of a licensed entitlement. Those of later releases do not matter. */
export function isLicensedEntitlement(value: unknown): value is Members {
  if (!isObject(value)) return false;
  const { id, productId, status, tierId, tierName, billingInterval, currentPeriodEnd = '' } = value;
  return [id, productId, status, tierId, tierName, billingInterval, currentPeriodEnd].every(isText);
}

/** Reports whether a value has the members of an entitlement in a receipt. */
export function isReceiptEntitlement(value: unknown): value is Members {
  if (!isLicensedEntitlement(value)) return false;
  const { accessEndsAt = '', updatesUntil = '', deviceLimit = null, features = {} } = value;
  return [accessEndsAt, updatesUntil].every(isText) && isDeviceLimit(deviceLimit) && areFeatures(features);
}

/** Reports whether a value is the service's answer about a device with a seat. */
export function isActivation(value: Members): boolean {
  const { device, deviceLimit, features = {}, entitlement, receipt } = value;
  const isReceipt = receipt === null || (isObject(receipt) && isIssuedReceipt(receipt));
  return isSeat({ device, deviceLimit }) && areFeatures(features) && isLicensedEntitlement(entitlement) && isReceipt;
}

/** Reports whether a value is the service's answer about a device with a trial. */
export function isTrial({ trial, tierId, startedAt, endsAt, receipt, features = {} }: Members): boolean {
  const isReceipt = isObject(receipt) && isIssuedReceipt(receipt);
  return [trial, tierId, startedAt, endsAt].every(isText) && isReceipt && areFeatures(features);
}

/** Reports whether a value names a device, and how many a license may have. */
export function isSeat({ device, deviceLimit }: Members): boolean {
  return isText(device) && isDeviceLimit(deviceLimit);
}

export function isDeviceList({ devices, deviceLimit }: Members): boolean {
  return (
    Array.isArray(devices) &&
    devices.every((each) => isObject(each) && isText(each['device'])) &&
    isDeviceLimit(deviceLimit)
  );
}

/** A gate stores nothing that it has not verified, so that the text alone decides. */
export function isIssuedReceipt({ receipt }: Members): boolean {
  return isText(receipt);
}

function isDeviceLimit(value: unknown): boolean {
  return value === null || Number.isInteger(value);
}

function areFeatures(value: unknown): boolean {
  return isObject(value) && Object.values(value).every((each) => ['boolean', 'number', 'string'].includes(typeof each));
}

export function isText(value: unknown): value is string {
  return typeof value === 'string';
}
