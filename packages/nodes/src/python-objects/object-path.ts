/** Where something stands in an object: keys of mappings, places in lists. */
export type ObjectPath = readonly (string | number)[];
