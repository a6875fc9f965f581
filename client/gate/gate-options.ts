import type { DeviceCheck, LicenseCheck, TrialCheck } from '../license-check.ts';
import type { Licenses } from '../licenses.ts';
import type { ReceiptVerification, VerifyReceiptOptions } from '../receipt.ts';
import type { GateDevice } from '../receipts/device.ts';
import type { ReceiptStorage } from '../receipts/stored-receipt.ts';

export interface LicenseGateOptions extends Pick<VerifyReceiptOptions, 'keys' | 'productId'> {
  /** A `LatchkeyClient`. It needs no app key. */
  readonly client: { readonly licenses: Pick<Licenses, 'verify' | 'receipt'> };
  /** Keeps the receipt of this product from start to start. What it throws or garbles costs offline days only. */
  readonly storage: ReceiptStorage;
  /** Milliseconds for each request, and for each call of the storage. Default: 3000. */
  readonly timeout?: number | undefined;
  /** When this build was released. It is `updates_ended` with a license whose updates ended before. Default: never. */
  readonly releasedAt?: Date | undefined;
  /** Returns the present instant. Default: the clock. */
  readonly now?: (() => Date) | undefined;
}

/** The options of a gate that takes a seat for its device. */
export interface DeviceGateOptions extends Omit<LicenseGateOptions, 'client'> {
  /** A `LatchkeyClient`. It needs no app key. */
  readonly client: { readonly licenses: Pick<Licenses, 'activate' | 'deactivate' | 'verify'> };
  readonly device: GateDevice;
}

/** The options of a gate that tries the product out on its device while there is no license key. */
export interface TrialGateOptions extends Omit<DeviceGateOptions, 'client'> {
  /** A `LatchkeyClient`. It needs no app key. */
  readonly client: { readonly licenses: Pick<Licenses, 'activate' | 'deactivate' | 'trial' | 'verify'> };
  readonly trial: true;
}

/** Decides whether a program may run, also while the service is down. */
export interface LicenseGate {
  /**
   * Asks the service once, and the stored receipt if the service gives no verdict. Keeps a receipt for the next time. Never
   * throws for what the network or the storage does.
   */
  check(licenseKey: string): Promise<LicenseCheck>;
  /** Verifies a receipt, and stores it if it is a valid offline receipt. */
  accept(receipt: string): Promise<ReceiptVerification>;
}

/** A gate that takes a seat for its device. */
export interface DeviceGate extends Omit<LicenseGate, 'check'> {
  /**
   * Asks for a seat, and the stored receipt if the service gives no verdict. `replace` names the device, as the list shows
   * it, that makes room if no seat is free. Never throws for what the network or the storage does.
   */
  check(licenseKey: string, options?: { readonly replace?: string | undefined }): Promise<DeviceCheck>;
  /** Releases the seat and drops the receipt. Throws a `LatchkeyError` if the seat could not be released. */
  release(licenseKey: string): Promise<void>;
}

/** A gate that tries the product out on its device while there is no license key. */
export interface TrialGate extends Omit<DeviceGate, 'check'> {
  /**
   * With a key: as a gate without a trial, and never a trial behind it. Null starts the trial of the device, or goes on with
   * it: it asks the service once, and the stored receipt of the trial if the service gives no verdict.
   */
  check(
    licenseKey: string | null,
    options?: { readonly replace?: string | undefined },
  ): Promise<DeviceCheck | TrialCheck>;
}

/** The options of any gate. */
export type GateOptions =
  | TrialGateOptions
  | (DeviceGateOptions & { readonly trial?: undefined })
  | (LicenseGateOptions & { readonly device?: undefined; readonly trial?: undefined });

export function isOfDevice(options: GateOptions): options is Exclude<GateOptions, { readonly device?: undefined }> {
  return options.device !== undefined;
}

export function isOfTrials(options: GateOptions): options is TrialGateOptions {
  return options.trial === true;
}
