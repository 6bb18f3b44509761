import type { Edits, PlaygroundPage, Rendered } from '@unroll/project/studio-contract';
import { useEffect, useState } from 'preact/hooks';
import { sendJson } from '../../load/request.ts';
import { PlainText } from '../../parts/plain-text.tsx';
import { Segments } from '../../parts/segments.tsx';
import { query, setQuery } from '../../route/address.ts';
import { words } from '../../words/words.ts';
import { MessageView } from '../row/conversation.tsx';
import { setInput, setParameter, setPrompt } from './draft.ts';
import type { Check } from './use-check.ts';

export interface EditorProps {
  readonly page: PlaygroundPage;
  readonly edits: Edits;
  readonly check: Check;
  readonly isReadOnly: boolean;
}

const tabs = ['prompt', 'parameters', 'inputs', 'rendered'] as const;

/** The prompt of the node, its parameters and the inputs of the row, to be edited; and what the node would be sent. */
export function Editor({ page, edits, check, isReadOnly }: EditorProps) {
  const { playground } = words.value.trying;
  const tab = tabs.find((one) => one === query.value.get('edit')) ?? 'prompt';
  return (
    <section class="panel playground-editor" aria-labelledby="editor-heading">
      <header>
        <h2 id="editor-heading">{page.prompt?.path ?? page.node}</h2>
        <Segments
          label={playground.edit}
          choices={tabs.map((id) => ({ id, text: playground.tabs[id] }))}
          chosen={tab}
          choose={(to) => setQuery({ edit: to === 'prompt' ? undefined : to }, 'replace')}
        />
      </header>
      {tab === 'prompt' ? <Prompt page={page} edits={edits} isReadOnly={isReadOnly} /> : null}
      {tab === 'parameters' ? (
        <Values
          {...{ values: page.parameters, edited: edits.parameters, isReadOnly }}
          help={playground.parametersHelp}
          none={playground.noParameters}
          set={(name, json) => setParameter(page, name, json)}
        />
      ) : null}
      {tab === 'inputs' ? (
        <Values
          {...{ values: page.inputs, edited: edits.inputs, isReadOnly }}
          help={playground.inputsHelp}
          none=""
          set={(name, json) => setInput(page, name, json)}
        />
      ) : null}
      {tab === 'rendered' ? <RenderedView page={page} edits={edits} isReadOnly={isReadOnly} /> : null}
      <EditorFoot page={page} check={check} />
    </section>
  );
}

/** Lines that are there at least, and at most before it scrolls. */
const [fewestLines, maxLines] = [12, 34];

function Prompt({ page, edits, isReadOnly }: Omit<EditorProps, 'check'>) {
  const { playground } = words.value.trying;
  const { prompt } = page;
  if (prompt === undefined) return <p class="body quiet">{playground.noPrompt}</p>;
  const text = edits.files?.[prompt.path] ?? prompt.text;
  const lines = Math.min(maxLines, Math.max(fewestLines, text.split('\n').length + 1));
  return (
    <>
      <textarea
        class="prompt-text"
        aria-label={prompt.path}
        rows={lines}
        value={text}
        spellcheck={false}
        dir="auto"
        readOnly={isReadOnly || prompt.problem !== undefined}
        onInput={({ currentTarget: { value } }) => setPrompt(page, value)}
      />
      {prompt.problem === undefined ? null : (
        <p class="warn editor-note">
          <PlainText text={words.value.figureWhy(prompt.problem)} />
        </p>
      )}
    </>
  );
}

interface ValuesProps {
  readonly values: PlaygroundPage['inputs'];
  readonly edited: Edits['inputs'];
  readonly isReadOnly: boolean;
  readonly help: string;
  readonly none: string;
  readonly set: (name: string, json: string) => void;
}

function Values({ values, edited = {}, isReadOnly, help, none, set }: ValuesProps) {
  if (values.length === 0) return <p class="body quiet">{none}</p>;
  return (
    <div class="body editor-values">
      <p class="quiet small">{help}</p>
      {values.map(({ name, json, problem }) => (
        <label key={name}>
          <code>{name}</code>{' '}
          {problem === undefined ? null : <span class="faint small">{words.value.figureWhy(problem)}</span>}
          <textarea
            rows={Math.min(8, (edited[name] ?? json).split('\n').length)}
            value={edited[name] ?? json}
            spellcheck={false}
            dir="auto"
            readOnly={isReadOnly || (problem !== undefined && json !== '')}
            onInput={({ currentTarget: { value } }) => set(name, value)}
          />
        </label>
      ))}
    </div>
  );
}

function RenderedView({ page, edits, isReadOnly }: Omit<EditorProps, 'check'>) {
  const { playground } = words.value.trying;
  const { run, line, node } = page;
  const [rendered, setRendered] = useState<Rendered>();
  const asked = JSON.stringify({ run, line, node, edits });
  useEffect(() => {
    if (isReadOnly) return;
    const ended = new AbortController();
    sendJson<Rendered>('POST', 'playground/rendered', JSON.parse(asked) as object, ended.signal).then(
      (answer) => setRendered('value' in answer ? answer.value : { messages: [], problem: answer.failure.message }),
      () => undefined,
    );
    return () => ended.abort();
  }, [asked, isReadOnly]);
  return (
    <div class="body">
      <p class="quiet small">{playground.renderedHelp}</p>
      {rendered?.problem === undefined ? null : (
        <p class="warn plain-text">
          <PlainText text={words.value.told(rendered.problem)} />
        </p>
      )}
      {rendered !== undefined && rendered.messages.length === 0 && rendered.problem === undefined ? (
        <p class="quiet">{playground.nothingRendered}</p>
      ) : null}
      {(rendered?.messages ?? []).map((one, at) => (
        <MessageView key={at} message={one} rest="" />
      ))}
    </div>
  );
}

function EditorFoot({ page, check: { checked } }: { readonly page: PlaygroundPage; readonly check: Check }) {
  const { playground } = words.value.trying;
  const mistakes = checked?.mistakes ?? [];
  const lines = (checked?.files ?? []).reduce((sum, file) => sum + file.lines, 0);
  return (
    <footer class="editor-foot small">
      <p class="quiet">
        {lines === 0 ? playground.unchanged : playground.lines(lines)}
        {page.variables.length === 0 ? null : (
          <>
            {' · '}
            {playground.variables}{' '}
            {page.variables.map((name) => (
              <code key={name}>{name} </code>
            ))}
          </>
        )}
        {' · '}
        {mistakes.length === 0 ? playground.noMistakes : playground.mistakes(mistakes.length)}
      </p>
      {(page.prompt?.nodes.length ?? 0) < 2 ? null : (
        <p class="quiet">{playground.shared(page.prompt?.nodes.length ?? 0)}</p>
      )}
      {mistakes.map(({ severity, text }) => (
        <pre key={text} class={`plain-text ${severity === 'error' ? 'bad' : 'warn'}`}>
          <PlainText text={text} />
        </pre>
      ))}
    </footer>
  );
}
