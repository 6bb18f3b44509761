import type { ServiceDetails } from '@unroll/engine';

type Possible = { readonly [Name in keyof ServiceDetails]: ServiceDetails[Name] | undefined };

/** What is known of a service, without what is not. */
export function serviceDetails(possible: Possible): ServiceDetails {
  return Object.fromEntries(Object.entries(possible).filter(([, value]) => value !== undefined));
}
