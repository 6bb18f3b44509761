import { signal } from '@preact/signals';
import { words } from '../words/words.ts';
import { Dialog } from './dialog.tsx';
import { KeyHint } from './key-hint.tsx';
import { bindings, type KeyBinding } from './keys.ts';

export const isHelpOpen = signal(false);

const groups = ['page', 'list', 'everywhere'] as const;

/** Every key that does something on this page now. */
export function HelpDialog() {
  const { allKeys, keyGroups } = words.value;
  if (!isHelpOpen.value) return null;
  const close = (): void => {
    isHelpOpen.value = false;
  };
  return (
    <Dialog title={allKeys} close={close}>
      <div class="key-groups">
        {groups.map((group) => (
          <KeyGroup key={group} title={keyGroups[group]} found={bindings.value.filter((one) => one.group === group)} />
        ))}
      </div>
    </Dialog>
  );
}

interface KeyGroupProps {
  readonly title: string;
  readonly found: readonly KeyBinding[];
}

function KeyGroup({ title, found }: KeyGroupProps) {
  if (found.length === 0) return null;
  return (
    <section>
      <h3>{title}</h3>
      <dl>
        {found.map(({ keys, label }) => (
          <>
            <dt>
              {keys.map((key, index) => (
                <>
                  {index > 0 ? ' ' : ''}
                  <KeyHint keys={key} />
                </>
              ))}
            </dt>
            <dd>{label}</dd>
          </>
        ))}
      </dl>
    </section>
  );
}
