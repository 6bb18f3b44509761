import { isPlainObject } from '@unroll/engine';

/**
 * An event for a listener of other people's: what is changed in it is changed neither for the nodes that follow nor on record. Lists
 * and mappings are copied; what has a class of its own is left as it is.
 */
export function ownEvent<Event>(event: Event): Event {
  if (typeof event !== 'object' || event === null) return event;
  if (Array.isArray(event)) return event.map(ownEvent) as Event;
  if (!isPlainObject(event)) return event;
  return Object.fromEntries(Object.entries(event).map(([name, member]) => [name, ownEvent(member)])) as Event;
}
