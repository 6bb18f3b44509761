/** What a dataset is written in. */
export type DataFormat = 'jsonl' | 'json' | 'csv' | 'tsv' | 'parquet';

export const dataFormats: readonly DataFormat[] = ['jsonl', 'json', 'csv', 'tsv', 'parquet'];
