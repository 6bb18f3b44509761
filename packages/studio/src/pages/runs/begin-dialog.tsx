import type { Forecast, LiveRun, RunLine, RunRequest } from '@unroll/project/studio-contract';
import { useEffect, useState } from 'preact/hooks';
import { type Failure, sendJson } from '../../load/request.ts';
import { FigureText } from '../../parts/figure-text.tsx';
import { Refusal } from '../../parts/refusal.tsx';
import { go } from '../../route/address.ts';
import { runAddress } from '../../route/view.ts';
import { Dialog } from '../../shell/dialog.tsx';
import { words } from '../../words/words.ts';

export interface BeginDialogProps {
  /** Whose flows and data are offered, newest first. */
  readonly runs: readonly RunLine[];
  readonly close: () => void;
}

interface Asked {
  readonly flow: string;
  readonly data: string;
  readonly limit: string;
  readonly concurrency: string;
  readonly name: string;
}

/** Begins a run over data, once what it takes was shown. */
export function BeginDialog({ runs, close }: BeginDialogProps) {
  const { acting } = words.value;
  const newest = runs.find((run) => run.flowPath !== undefined && run.data !== undefined);
  const first = { flow: newest?.flowPath ?? '', data: newest?.data ?? '', limit: '', concurrency: '8', name: '' };
  const [asked, setAsked] = useState<Asked>(first);
  const [failure, setFailure] = useState<Failure>();
  const set = (name: keyof Asked) => (value: string) => setAsked({ ...asked, [name]: value });
  const begin = async (): Promise<void> => {
    const answer = await sendJson<LiveRun>('POST', 'runs', requestOf(asked));
    if ('failure' in answer) setFailure(answer.failure);
    else {
      close();
      go(runAddress(answer.value.run));
    }
  };
  const onSubmit = (event: Event): void => {
    event.preventDefault();
    void begin();
  };
  const offered = (of: (run: RunLine) => string | undefined): readonly string[] => [
    ...new Set(runs.flatMap((run) => of(run) ?? [])),
  ];
  return (
    <Dialog title={acting.begin} close={close}>
      <form class="begin" onSubmit={onSubmit}>
        <Field
          name={acting.flow}
          value={asked.flow}
          set={set('flow')}
          offered={offered((run) => run.flowPath)}
          isFirst
        />
        <Field name={acting.data} value={asked.data} set={set('data')} offered={offered((run) => run.data)} />
        <Field name={acting.limit} value={asked.limit} set={set('limit')} isNumber />
        <Field name={acting.concurrency} value={asked.concurrency} set={set('concurrency')} isNumber />
        <Field name={acting.name} value={asked.name} set={set('name')} />
        {failure === undefined ? null : <Refusal failure={failure} />}
        <ForecastView asked={asked} />
        <p class="small quiet">{acting.beginHelp}</p>
        <p class="actions">
          <button type="submit" class="button primary">
            {acting.beginNow} <kbd>Enter</kbd>
          </button>
        </p>
      </form>
    </Dialog>
  );
}

function requestOf({ flow, data, limit, concurrency, name }: Asked): RunRequest {
  const [rows, atATime] = [limit, concurrency].map((text) => (text.trim() === '' ? undefined : Number(text)));
  return {
    flow,
    ...(data === '' ? {} : { data }),
    ...(rows === undefined ? {} : { limit: rows }),
    ...(atATime === undefined ? {} : { concurrency: atATime }),
    ...(name.trim() === '' ? {} : { name: name.trim() }),
  };
}

/** What the run would take; asked for a moment after the last key. */
function ForecastView({ asked }: { readonly asked: Asked }) {
  const { acting } = words.value;
  const [state, setState] = useState<{ readonly forecast?: Forecast; readonly failure?: Failure }>({});
  useEffect(() => {
    const ended = new AbortController();
    const wait = setTimeout(async () => {
      const answer = await sendJson<Forecast>('POST', 'runs/forecast', requestOf(asked), ended.signal).catch(
        () => undefined,
      );
      if (answer !== undefined) setState('value' in answer ? { forecast: answer.value } : answer);
    }, pauseMs);
    return () => {
      clearTimeout(wait);
      ended.abort();
    };
  }, [asked.flow, asked.data, asked.limit]);
  const { forecast, failure } = state;
  if (failure !== undefined) return <Refusal failure={failure} />;
  if (forecast === undefined) return null;
  const { rows, calls, tokens, cost, between, basis, leftOut } = forecast;
  const shown = [
    { name: acting.rows, figure: rows, range: '' },
    { name: acting.calls, figure: calls, range: between.calls },
    { name: acting.tokens, figure: tokens, range: between.tokens },
    { name: acting.cost, figure: cost, range: between.cost },
  ];
  return (
    <section aria-label={acting.forecast}>
      <dl class="facts">
        {shown.map(({ name, figure, range }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <FigureText figure={figure} /> <small>{acting.between(range)}</small>
            </dd>
          </div>
        ))}
      </dl>
      <p class="small quiet">{basis === undefined ? acting.noBasis : acting.basis(basis)}</p>
      {leftOut.map((sentence) => (
        <p key={sentence} class="small">
          {sentence}
        </p>
      ))}
    </section>
  );
}

const pauseMs = 250;

interface FieldProps {
  readonly name: string;
  readonly value: string;
  readonly set: (value: string) => void;
  readonly offered?: readonly string[];
  readonly isNumber?: boolean;
  readonly isFirst?: boolean;
}

function Field({ name, value, set, offered = [], isNumber = false, isFirst = false }: FieldProps) {
  const list = offered.length === 0 ? undefined : `offered ${name}`.replaceAll(' ', '-');
  return (
    <label class="label-field">
      <span>{name}</span>
      <input
        value={value}
        list={list}
        autofocus={isFirst}
        inputMode={isNumber ? 'numeric' : 'text'}
        pattern={isNumber ? '[0-9]*' : undefined}
        onInput={(event) => set(event.currentTarget.value)}
      />
      {list === undefined ? null : (
        <datalist id={list}>
          {offered.map((one) => (
            <option key={one} value={one} />
          ))}
        </datalist>
      )}
    </label>
  );
}
