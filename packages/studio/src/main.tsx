import { render } from 'preact';
import { readSession } from './load/use-session.ts';
import { Pages } from './pages/pages.tsx';
import { followLinks } from './route/address.ts';
import { writeLinksForFiles } from './route/where.ts';
import { listenForKeys } from './shell/keys.ts';
import { Shell } from './shell/shell.tsx';

writeLinksForFiles();
followLinks();
listenForKeys();
void readSession();
const root = document.getElementById('studio');
if (root === null) throw new Error('bug: index.html has no place for the studio');
render(
  <Shell>
    <Pages />
  </Shell>,
  root,
);
