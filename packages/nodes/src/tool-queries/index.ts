export { type AskedQueries, askForQueries, type QueryAsking, queryRequest } from './ask-for-queries.ts';
