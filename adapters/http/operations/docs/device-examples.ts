import { exampleId, receiptExample, verificationExample } from './examples.ts';

const device = 'dev_2f1Jje0Wa4UYlQMdrpY6Px';
const seats = { deviceLimit: 3, devicesUsed: 1 } as const;

export const activationExample = {
  success: true,
  data: {
    device,
    activatedAt: '2026-07-18T12:00:00.000Z',
    ...seats,
    entitlement: verificationExample.entitlement,
    receipt: receiptExample.data,
  },
  correlationId: exampleId,
} as const;

export const deactivationExample = {
  success: true,
  data: { device, deviceLimit: 3, devicesUsed: 0 },
  correlationId: exampleId,
} as const;

export const trialExample = {
  success: true,
  data: {
    trial: 'trial_2f1Jje0Wa4UYlQMdrpY6Px',
    tierId: 'pro',
    startedAt: '2026-07-18T12:00:00.000Z',
    endsAt: '2026-08-01T12:00:00.000Z',
    receipt: receiptExample.data,
  },
  correlationId: exampleId,
} as const;

export const licenseDevicesExample = {
  success: true,
  data: {
    devices: [
      {
        device,
        name: 'Ada’s laptop',
        activatedAt: '2026-07-18T12:00:00.000Z',
        seenAt: '2026-07-18T12:00:00.000Z',
        offlineUntil: null,
      },
    ],
    ...seats,
  },
  correlationId: exampleId,
} as const;
