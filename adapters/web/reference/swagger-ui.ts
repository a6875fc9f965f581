import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The files of Swagger UI. */
export interface SwaggerUi {
  readonly script: Buffer;
  readonly stylesheet: Buffer;
}

/** The files that `/docs` serves. */
const swaggerUiFiles = { script: 'swagger-ui-bundle.js', stylesheet: 'swagger-ui.css' } as const;

/** Where a package of Latchkey has its copy. A checkout has the package `swagger-ui-dist` instead. */
const copied = fileURLToPath(new URL('../assets/swagger-ui/', import.meta.url));

/** Reads Swagger UI from its copy or its package; null if it was not installed. */
export function readSwaggerUi(): SwaggerUi | null {
  const folder = existsSync(join(copied, swaggerUiFiles.script)) ? copied : packageFolder();
  if (folder === null) return null;
  const read = (name: string): Buffer => readFileSync(join(folder, name));
  return { script: read(swaggerUiFiles.script), stylesheet: read(swaggerUiFiles.stylesheet) };
}

function packageFolder(): string | null {
  try {
    return join(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'), '..');
  } catch {
    return null;
  }
}
