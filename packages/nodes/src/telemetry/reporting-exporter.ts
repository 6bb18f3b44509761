/** What an exporter of the SDK says of a batch; 0 is success. */
interface ExportResult {
  readonly code: number;
  readonly error?: Error;
}

interface Exporter<Batch> {
  export(batch: Batch, ended: (result: ExportResult) => void): void;
}

interface ExportListener<Batch> {
  /** As a batch goes. */
  readonly onSend?: (batch: Batch) => void;
  readonly onFailure: (error: Error | undefined, batch: Batch) => void;
  /** As a batch has arrived, or is given up. */
  readonly onEnd?: (batch: Batch) => void;
}

/** The same exporter, which tells of each batch that goes, and of each that did not arrive. */
export function reportingExporter<Batch, Kind extends Exporter<Batch>>(
  exporter: Kind & Exporter<Batch>,
  { onSend, onFailure, onEnd }: ExportListener<Batch>,
): Kind {
  const send = exporter.export.bind(exporter);
  exporter.export = (batch, ended) => {
    onSend?.(batch);
    send(batch, (result) => {
      if (result.code !== 0) onFailure(result.error, batch);
      onEnd?.(batch);
      ended(result);
    });
  };
  return exporter;
}
