export { prepareBundlePython } from './bundle-python.ts';
export { type BundleManifest, bundleFlow, type FlowBundle } from './flow-bundle.ts';
export { bundleFile, bundleManifest, storeBundle } from './stored-bundles.ts';
export { type UnpackedBundle, unpackBundle } from './unpack-bundle.ts';
