import { signal } from '@preact/signals';

const said = signal('');
let fading: ReturnType<typeof setTimeout> | undefined;

/** Says in a word that something was done; gone after three seconds. */
export function say(text: string): void {
  clearTimeout(fading);
  said.value = text;
  fading = setTimeout(() => {
    said.value = '';
  }, 3000);
}

export function Said() {
  return (
    <output class="toast" aria-live="polite">
      {said.value}
    </output>
  );
}
