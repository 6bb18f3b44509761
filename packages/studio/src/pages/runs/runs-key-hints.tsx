import { useCanWrite } from '../../load/use-session.ts';
import { KeyHint } from '../../shell/key-hint.tsx';
import { words } from '../../words/words.ts';

/** The keys of the list, those that change something where something can be changed. */
export function RunsKeyHints() {
  const { keys, acting } = words.value;
  const canWrite = useCanWrite();
  const shown: readonly (readonly [key: string, label: string])[] = [
    ['j k', `${keys.next} · ${keys.previous}`],
    ['Enter', keys.open],
    [' ', keys.choose],
    ['d', keys.compare],
    ...(canWrite
      ? ([
          ['t', acting.mark],
          ['b', acting.begin],
        ] as const)
      : []),
    ['/', keys.search],
    ['?', keys.help],
  ];
  return (
    <p class="keys">
      {shown.map(([key, label]) => (
        <span key={key}>
          <KeyHint keys={key} /> {label}
        </span>
      ))}
    </p>
  );
}
