import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

/** A wheel, which pip installs without a network: an archive of the module and what it is called. */
export function writeWheel(folder: string): void {
  const make = `
import sys, zipfile
with zipfile.ZipFile(sys.argv[1], "w") as wheel:
    wheel.writestr("greeting.py", "word = 'hello from a package'\\n")
    wheel.writestr("greeting-1.0.dist-info/METADATA", "Metadata-Version: 2.1\\nName: greeting\\nVersion: 1.0\\n")
    wheel.writestr("greeting-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\\nGenerator: test\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n")
    wheel.writestr("greeting-1.0.dist-info/RECORD", "greeting.py,,\\ngreeting-1.0.dist-info/METADATA,,\\ngreeting-1.0.dist-info/WHEEL,,\\ngreeting-1.0.dist-info/RECORD,,\\n")
`;
  execFileSync('python3', ['-c', make, join(folder, 'greeting-1.0-py3-none-any.whl')]);
}
