/** A count as the terminal writes it, in either language: `100,000`. Figures with units come as text from the server. */
export function countText(count: number): string {
  return count.toLocaleString('en');
}

const day = 86_400_000;

/** A time of day of today, the day of an earlier one; local. */
export function timeText(at: number, now: number, language: string): string {
  const isToday = new Date(at).toDateString() === new Date(now).toDateString();
  if (isToday) return new Date(at).toLocaleTimeString(language, { hour: '2-digit', minute: '2-digit', hour12: false });
  const year = now - at > 300 * day ? { year: 'numeric' as const } : {};
  return new Date(at).toLocaleDateString(language, { day: 'numeric', month: 'short', ...year });
}

export function fullTimeText(at: number, language: string): string {
  return new Date(at).toLocaleString(language, { dateStyle: 'medium', timeStyle: 'medium', hour12: false });
}
