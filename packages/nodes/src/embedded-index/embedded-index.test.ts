import { searchIndexContract } from '../testing/search-index-contract.ts';
import { embeddedIndex } from './embedded-index.ts';

searchIndexContract('embedded', async (database, embedder) => embeddedIndex(database, async () => embedder));
