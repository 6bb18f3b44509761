/** Of the page that `flow diff --html` writes; light and dark, no font or image from elsewhere. */
export const htmlStyle = `
:root{color-scheme:light dark;--paper:#fff;--ink:#0f172a;--soft:#475569;--line:#e2e8f0;--raised:#f8fafc;
--cause:#dc2626;--effect:#0284c7;--input:#0d9488;--noise:#a16207;--unknown:#9333ea;
--del:#fee2e2;--del-ink:#991b1b;--ins:#dcfce7;--ins-ink:#166534}
@media (prefers-color-scheme:dark){:root{--paper:#0d1117;--ink:#e6edf3;--soft:#9aa7b8;--line:#2b3441;--raised:#151b24;
--cause:#f87171;--effect:#38bdf8;--input:#2dd4bf;--noise:#facc15;--unknown:#c084fc;
--del:#4c1518;--del-ink:#fecaca;--ins:#0f3d24;--ins-ink:#bbf7d0}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:1100px;padding:32px 24px 64px;background:var(--paper);color:var(--ink);
font:15px/1.65 system-ui,-apple-system,'Segoe UI','Hiragino Sans','Noto Sans CJK JP','Noto Sans JP','Yu Gothic UI',Meiryo,sans-serif}
h1{font-size:22px;line-height:1.4;margin:0 0 4px}
h2{font-size:16px;margin:36px 0 10px}
.verdict{font-size:17px;margin:20px 0;padding:14px 18px;border-left:4px solid var(--cause);background:var(--raised);border-radius:0 8px 8px 0}
.verdict{overflow-wrap:anywhere}
.verdict.equal{border-color:#16a34a}
.runs{margin:0;color:var(--soft);font-size:13.5px}
.runs b{display:inline-block;width:1.4em;color:var(--ink)}
code,.path{font-family:ui-monospace,'SF Mono',Menlo,Consolas,'DejaVu Sans Mono',monospace;font-size:.9em}
.picture{overflow-x:auto;padding:8px;border:1px solid var(--line);border-radius:10px}
.picture svg{display:block;margin:0 auto;max-width:100%;height:auto}
.picture.narrow{display:none}
table{border-collapse:collapse;width:100%;font-size:14px}
th,td{padding:7px 12px;border-bottom:1px solid var(--line);text-align:left;vertical-align:top}
th{color:var(--soft);font-weight:600;white-space:nowrap}
td.number,th.number{text-align:right;font-variant-numeric:tabular-nums}
td:first-child,td.kinds{white-space:nowrap}
tr.idle td{color:var(--soft)}
.kind{display:inline-block;padding:0 8px;border-radius:9px;font-size:12.5px;line-height:1.6;white-space:nowrap;border:1px solid currentColor}
.kinds .kind+.kind{margin-left:4px}
.kind.cause,.kind.both{color:var(--cause)}.kind.effect{color:var(--effect)}.kind.input{color:var(--input)}
.kind.noise{color:var(--noise)}.kind.unknown{color:var(--unknown)}
details{border:1px solid var(--line);border-radius:10px;margin:10px 0;background:var(--raised)}
summary{padding:10px 16px;cursor:pointer}
summary .about{color:var(--soft);margin-left:8px;overflow-wrap:anywhere}
details>div{padding:2px 16px 14px;border-top:1px solid var(--line)}
.changed-node{margin:14px 0 0}
.changed-node h3{font-size:14.5px;margin:0 0 4px}
.changed-node h3 .why{font-weight:400;color:var(--soft);margin-left:8px}
.change{margin:6px 0;padding:8px 12px;background:var(--paper);border:1px solid var(--line);border-radius:8px;white-space:pre-wrap;overflow-wrap:anywhere}
.change .path{display:block;color:var(--soft);margin-bottom:2px}
.legend{color:var(--soft);font-size:13px;margin:8px 2px 0;display:flex;flex-wrap:wrap;gap:4px 18px}
.also{color:var(--soft);font-size:13.5px;margin:12px 0 0}
del{background:var(--del);color:var(--del-ink);text-decoration-color:color-mix(in srgb,currentColor 45%,transparent);text-decoration-thickness:1px;border-radius:3px;padding:1px 2px}
@media (max-width:640px){
body{padding:20px 14px 48px}
.picture{display:none}.picture.narrow{display:block}
thead{display:none}
tbody tr{display:flex;flex-wrap:wrap;align-items:baseline;gap:2px 12px;padding:8px 0;border-bottom:1px solid var(--line)}
tbody td{border:0;padding:0}
td:first-child,td.why{flex:1 0 100%;white-space:normal;overflow-wrap:anywhere}
td:first-child{font-weight:600}
td:empty{display:none}
td[data-title]::after{content:' ' attr(data-title);color:var(--soft)}
}
ins{background:var(--ins);color:var(--ins-ink);text-decoration:none;border-radius:3px;padding:1px 2px}
`.trim();
