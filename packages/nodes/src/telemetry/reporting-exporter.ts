/** What an exporter of the SDK says of a batch; 0 is success. */
interface ExportResult {
  readonly code: number;
  readonly error?: Error;
}

interface Exporter<Batch> {
  export(batch: Batch, ended: (result: ExportResult) => void): void;
}

/** The same exporter, of which each batch that did not arrive is told. */
export function reportingExporter<Batch, Kind extends Exporter<Batch>>(
  exporter: Kind & Exporter<Batch>,
  onFailure: (error: Error | undefined, batch: Batch) => void,
): Kind {
  const send = exporter.export.bind(exporter);
  exporter.export = (batch, ended) =>
    send(batch, (result) => {
      if (result.code !== 0) onFailure(result.error, batch);
      ended(result);
    });
  return exporter;
}
