import type { Endpoint } from './detection.ts';
import { publicAddress } from './providers.ts';

/** Names who signs what a model says: the provider and its address, and no secret. */
export function fingerprintOf({ provider, address }: Pick<Endpoint, 'provider' | 'address'>): string {
  return `model-api:${provider.id}:${publicAddress(address)}`;
}
