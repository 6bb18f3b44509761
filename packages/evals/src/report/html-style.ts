/** Of the page of an evaluation; light and dark, nothing from elsewhere. */
export const htmlStyle = `
:root{color-scheme:light dark;--paper:#fff;--ink:#0f172a;--soft:#475569;--line:#e2e8f0;--raised:#f8fafc;
--accent:#2563eb;--good:#047857;--bad:#dc2626;--bound:#b45309;--good-back:#ecfdf5;--bad-back:#fef2f2}
@media (prefers-color-scheme:dark){:root{--paper:#0d1117;--ink:#e6edf3;--soft:#9aa7b8;--line:#2b3441;--raised:#151b24;
--accent:#60a5fa;--good:#34d399;--bad:#f87171;--bound:#fbbf24;--good-back:#0b2a22;--bad-back:#331416}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:1240px;padding:32px 24px 64px;background:var(--paper);color:var(--ink);
font:15px/1.65 system-ui,-apple-system,'Segoe UI','Hiragino Sans','Noto Sans CJK JP','Noto Sans JP','Yu Gothic UI',Meiryo,sans-serif}
h1{font-size:23px;line-height:1.4;margin:0 0 4px;overflow-wrap:anywhere}
h2{font-size:17px;margin:40px 0 10px}
h3{font-size:14.5px;margin:14px 0 4px;overflow-wrap:anywhere}
p{margin:8px 0}
a{color:var(--accent)}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px;border-radius:4px}
code{font-family:ui-monospace,'SF Mono',Menlo,Consolas,'DejaVu Sans Mono','Noto Sans CJK JP',monospace;font-size:.9em;overflow-wrap:anywhere}
nav{margin:18px 0 0;font-size:14px;display:flex;flex-wrap:wrap;gap:4px 18px}
.facts{margin:0;color:var(--soft);font-size:13.5px;overflow-wrap:anywhere}
.verdict{margin:20px 0 0;padding:12px 18px;border-left:5px solid var(--soft);background:var(--raised);border-radius:0 8px 8px 0;font-size:16.5px;overflow-wrap:anywhere}
.verdict p{margin:2px 0}
.verdict p:first-child{font-weight:600}
.verdict.is-good{border-color:var(--good);background:var(--good-back)}
.verdict.is-bad{border-color:var(--bad);background:var(--bad-back)}
.wide{overflow-x:auto;border:1px solid var(--line);border-radius:10px}
table{border-collapse:collapse;width:100%;font-size:14px}
th,td{padding:8px 10px;border-bottom:1px solid var(--line);text-align:left;vertical-align:top}
tbody tr:last-child>*{border-bottom:0}
thead th{color:var(--soft);font-weight:600;white-space:nowrap;background:var(--raised)}
tbody th{font-weight:600;min-width:12.5em;overflow-wrap:anywhere}
tbody th .on{display:block;font-weight:400;color:var(--soft);font-size:12.5px}
.number{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
.note{display:block;color:var(--soft);font-size:12.5px}
td .note{white-space:normal}td.scored{min-width:7em}
.tone{white-space:nowrap;font-weight:600}
.tone.is-good{color:var(--good)}.tone.is-bad{color:var(--bad)}
td.why{min-width:11.5em}
svg{display:block}
svg text{fill:var(--ink);font-size:12px}
svg .tick{fill:var(--soft);font-size:11px}
.axis{stroke:var(--soft);stroke-opacity:.55}.grid{stroke:var(--line)}
.band{fill:var(--soft);fill-opacity:.35}.interval .mean{fill:var(--soft)}
.interval.is-good .band{fill:var(--good)}.interval.is-good .mean{fill:var(--good)}
.interval.is-bad .band{fill:var(--bad)}.interval.is-bad .mean{fill:var(--bad)}
.mean{fill:var(--accent);stroke:var(--paper);stroke-width:1.5}
.before{fill:var(--paper);stroke:var(--ink);stroke-width:1.5}
.bound{stroke:var(--bound);stroke-width:2;stroke-dasharray:3 2}
.bar{fill:var(--accent);fill-opacity:.75}.bar.is-good{fill:var(--good)}.bar.is-bad{fill:var(--bad)}
.center{stroke:var(--ink);stroke-width:1.5;stroke-dasharray:4 3}
.line{fill:none;stroke:var(--accent);stroke-width:2.5}.whisker{stroke:var(--accent);stroke-width:7;stroke-opacity:.28;stroke-linecap:round}
.ran{fill:var(--soft);fill-opacity:.25}.finished{fill:var(--good);fill-opacity:.55}
.legend{color:var(--soft);font-size:13px;margin:8px 2px 0;display:flex;flex-wrap:wrap;gap:4px 18px}
.legend svg{display:inline-block;vertical-align:-6px;margin-right:4px}
.cards{display:grid;grid-template-columns:repeat(auto-fill,minmax(310px,1fr));gap:14px}
.card{border:1px solid var(--line);border-radius:10px;padding:12px 14px;background:var(--raised);min-width:0}
.card h3{margin-top:0}
.card svg{max-width:100%;height:auto}
.card .note{margin-top:2px}
.picture{overflow-x:auto;padding:8px;border:1px solid var(--line);border-radius:10px}
.picture svg{margin:0 auto;max-width:100%;height:auto}
details{border:1px solid var(--line);border-radius:10px;margin:10px 0;background:var(--raised)}
summary{padding:10px 16px;cursor:pointer;overflow-wrap:anywhere}
details>div{padding:2px 16px 14px;border-top:1px solid var(--line)}
.row{margin:14px 0 0}
.sides{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,320px),1fr));gap:10px;align-items:start}
.side{margin:0;padding:8px 12px;background:var(--paper);border:1px solid var(--line);border-radius:8px;min-width:0}
.side b{display:block;color:var(--soft);font-size:12.5px;font-weight:600}
.side pre{margin:0;font:inherit;white-space:pre-wrap;overflow-wrap:anywhere}
.side.actual{border-left:3px solid var(--bad)}.side.expected{border-left:3px solid var(--good)}
ul{margin:6px 0;padding-left:22px}
@media (max-width:1220px){.metrics th,.metrics td{padding:8px 6px}.metrics{font-size:13.5px}.metrics thead th{white-space:normal;vertical-align:bottom}
.metrics tbody th{min-width:10em}.metrics td.why{min-width:9.5em}.metrics td.scored{min-width:6em}}
@media (max-width:980px){.metrics,.metrics tbody{display:block}.metrics thead{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
.metrics tr{display:flex;flex-wrap:wrap;gap:8px 22px;padding:12px 14px;border-bottom:1px solid var(--line)}.metrics tr:last-child{border-bottom:0}
.metrics tbody th{flex:1 1 100%}.metrics tr>*{display:block;border:0;padding:0}.metrics td:empty{display:none}
.metrics td.number{text-align:left;flex:0 1 7.5em}.metrics td.scored{flex-basis:11em}.metrics td.why{flex:1 1 15em}
.metrics td::before{content:attr(data-label);display:block;color:var(--soft);font-size:12px}}
@media (max-width:600px){body{padding:20px 14px 48px}th,td{padding:7px 8px}tbody th{min-width:9em}td.why{min-width:10em}}
@media print{body{max-width:none;padding:0}details{break-inside:avoid}nav{display:none}}
`.trim();
