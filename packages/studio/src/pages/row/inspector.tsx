import type { NodeView } from '@unroll/project/studio-contract';
import type { ComponentChildren } from 'preact';
import { FigureText } from '../../parts/figure-text.tsx';
import { Mark } from '../../parts/mark.tsx';
import { PathText } from '../../parts/path-text.tsx';
import { PlainText } from '../../parts/plain-text.tsx';
import { Segments } from '../../parts/segments.tsx';
import { kindShape, statusShape } from '../../parts/status.ts';
import { ValueView } from '../../parts/value-view.tsx';
import { Sentences } from '../../parts/verdict-view.tsx';
import { query, setQuery } from '../../route/address.ts';
import { words } from '../../words/words.ts';
import { ScoreText } from '../run/row-cell.tsx';
import { ChangeView } from './change-view.tsx';
import { nodeLink } from './node-link.ts';

export const inspectorTabs = ['summary', 'inputs', 'request', 'output'] as const;

export interface InspectorProps {
  readonly node: NodeView;
  /** All of the row. */
  readonly nodes: readonly NodeView[];
  readonly rest: string;
}

/** All that was recorded of the chosen node. */
export function Inspector({ node, nodes, rest }: InspectorProps) {
  const { recorded, inspector, whatToShow, noRequest } = words.value;
  const tab = inspectorTabs.find((one) => one === query.value.get('view')) ?? 'summary';
  return (
    <aside class="panel inspector" aria-label={recorded(node.name)}>
      <header>
        <h2>
          <Mark shape={kindShape(node.kind)} /> {node.name}
        </h2>
        <Segments
          label={whatToShow}
          choices={inspectorTabs.map((id) => ({ id, text: inspector[id] }))}
          chosen={tab}
          choose={(to) => setQuery({ view: to === 'summary' ? undefined : to }, 'replace')}
        />
      </header>
      <div class="body">
        {tab === 'summary' ? <Summary node={node} nodes={nodes} rest={rest} /> : null}
        {tab === 'inputs' ? <ValueView value={node.inputs} rest={rest} lines={60} /> : null}
        {tab === 'output' ? <ValueView value={node.output} rest={rest} lines={60} /> : null}
        {tab === 'request' && node.request !== undefined ? (
          <ValueView value={node.request} rest={rest} lines={60} />
        ) : null}
        {tab === 'request' && node.request === undefined ? <p class="quiet">{noRequest}</p> : null}
      </div>
    </aside>
  );
}

function Summary({ node, nodes, rest }: InspectorProps) {
  const { why, scoresHere, logs, warnings, redacted } = words.value;
  return (
    <>
      {node.why === undefined ? null : (
        <div class="why-ran">
          <p>
            <Sentences sentences={[node.why.text]} />
          </p>
          {node.why.changes.map(({ part, changes, from }) => (
            <div key={part}>
              <p class="small">
                <span class="tag cause">{words.value.cause}</span> {part} {from === undefined ? '' : `← ${from}`}
              </p>
              {changes.map((change) => (
                <p key={change.path}>
                  <ChangeView change={change} rest={rest} />
                </p>
              ))}
            </div>
          ))}
        </div>
      )}
      <Facts node={node} nodes={nodes} />
      {node.scores.length === 0 ? null : <h3>{scoresHere}</h3>}
      {node.scores.map((score) => (
        <NodeScore key={score.metric} score={score} rest={rest} />
      ))}
      <Tries node={node} rest={rest} />
      {node.printed === undefined ? null : <h3>{logs}</h3>}
      {[node.printed?.out, node.printed?.error].map((printed) =>
        printed === undefined || printed.size === 0 ? null : (
          <ValueView key={printed.text} value={printed} rest={rest} />
        ),
      )}
      {node.warnings.length === 0 ? null : <h3>{warnings}</h3>}
      {node.warnings.map((warning) => (
        <p key={warning} class="warn plain-text">
          <PlainText text={words.value.told(warning)} />
        </p>
      ))}
      {node.redacted.length === 0 ? null : (
        <p class="quiet small">
          {redacted} {node.redacted.join(', ')}
        </p>
      )}
      <span class="unseen">{why}</span>
    </>
  );
}

function Facts({ node, nodes }: Pick<InspectorProps, 'node' | 'nodes'>) {
  const known = new Set(nodes.map(({ name }) => name));
  const { statusName, time, tokensName, costName, reads, readBy, written, fingerprint, takenFrom, status } =
    words.value;
  const { inAndOut, cachedTokens } = words.value;
  const { tokens } = node;
  const links = (names: readonly string[]): ComponentChildren =>
    names.map((name, index) => (
      <span key={name}>
        {index > 0 ? ', ' : ''}
        {known.has(name) ? <a href={nodeLink(name)}>{name}</a> : name}
      </span>
    ));
  const facts: readonly (readonly [string, ComponentChildren])[] = [
    [
      statusName,
      <>
        <Mark shape={statusShape(node.status)} /> {status[node.status]}
      </>,
    ],
    [time, <FigureText key="time" figure={node.duration} isWhyShown={true} />],
    [
      tokensName,
      tokens === undefined
        ? undefined
        : `${inAndOut(tokens.prompt.text, tokens.completion.text)}${tokens.cached === undefined ? '' : `, ${cachedTokens(tokens.cached.text)}`}`,
    ],
    [costName, tokens === undefined ? undefined : <FigureText key="cost" figure={node.cost} isWhyShown={true} />],
    ...node.settings.map(({ name, value }) => [name, value] as const),
    [reads, node.reads.length === 0 ? undefined : links(node.reads)],
    [readBy, node.readBy.length === 0 ? undefined : links(node.readBy)],
    [written, node.written === undefined ? undefined : <PathText key="written" path={node.written} />],
    [takenFrom, node.takenFrom],
    [
      fingerprint,
      node.fingerprint === undefined ? undefined : <code key="fingerprint">{node.fingerprint.slice(0, 12)}</code>,
    ],
  ];
  return (
    <dl class="pairs">
      {facts.flatMap(([name, value]) =>
        value === undefined ? [] : [<dt key={`${name} name`}>{name}</dt>, <dd key={name}>{value}</dd>],
      )}
    </dl>
  );
}

interface NodeScoreProps {
  readonly score: NodeView['scores'][number];
  readonly rest: string;
}

function NodeScore({ score: { metric, score, expected, actual, reason }, rest }: NodeScoreProps) {
  const { expected: expectedWord, got } = words.value;
  return (
    <div class="node-score">
      <p>
        <ScoreText score={score} /> <b>{metric}</b>
      </p>
      {reason === undefined ? null : (
        <p class="plain-text quiet">
          <PlainText text={reason} />
        </p>
      )}
      {[
        { name: expectedWord, value: expected },
        { name: got, value: actual },
      ].map(({ name, value }) =>
        value === undefined ? null : (
          <div key={name}>
            <span class="faint small">{name}</span>
            <ValueView value={value} rest={rest} lines={4} />
          </div>
        ),
      )}
    </div>
  );
}

/** Told where there was more than one, or one that failed. */
function Tries({ node: { tries, error }, rest }: Pick<InspectorProps, 'node' | 'rest'>) {
  const { tries: title, try: tryText, details } = words.value;
  if (tries.length < 2 && error?.details === undefined) return null;
  return (
    <>
      {tries.length < 2 ? null : <h3>{title}</h3>}
      {tries.length < 2
        ? null
        : tries.map(({ duration, error: problem, details: more }, index) => (
            <div key={index}>
              <p>
                {tryText(index + 1)} · {duration.text}{' '}
                <span class="bad plain-text">
                  <PlainText text={words.value.toldEnd(problem ?? '')} />
                </span>
              </p>
              {more === undefined ? null : <ValueView value={more} rest={rest} lines={6} />}
            </div>
          ))}
      {error?.details === undefined ? null : (
        <>
          <h3>{details}</h3>
          <ValueView value={error.details} rest={rest} lines={16} />
        </>
      )}
    </>
  );
}
