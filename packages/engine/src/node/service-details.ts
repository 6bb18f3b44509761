/** What is known of a call that failed at a service; nothing secret is in it. */
export interface ServiceDetails {
  /** With its port: `api.example.com:443`. */
  readonly host?: string;
  /** Of HTTP. */
  readonly status?: number;
  /** Code of the system or the client for a connection that failed: `ECONNREFUSED`. */
  readonly errno?: string;
  /** Where it wants to be asked instead, of a redirect. */
  readonly location?: string;
  /** Its own words, or the begin of what it answered. */
  readonly said?: string;
}

/** In one line, without what the message tells already: `api.example.com:443, HTTP 502, said: <html>…`; may be empty. */
export function serviceText({ host, status, errno, location, said }: ServiceDetails, message: string): string {
  const parts = [
    host,
    status === undefined ? undefined : `HTTP ${status}`,
    errno,
    location === undefined ? undefined : `redirects to ${location}`,
    said === undefined ? undefined : `said: ${said}`,
  ];
  const own = [host, `${status}`, errno, location, said];
  return parts.filter((part, at) => part !== undefined && !message.includes(String(own[at]))).join(', ');
}
