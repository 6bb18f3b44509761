export { prepareBundlePython } from './bundle-python.ts';
export { dropBundles } from './drop-bundles.ts';
export { bundleFlow, type FlowBundle } from './flow-bundle.ts';
export { bundleFile, bundleManifest, storeBundle } from './stored-bundles.ts';
export { unpackBundle } from './unpack-bundle.ts';
