// lockkit/detectors: the names of the detectors without the engine behind them, for whoever reads profiles and must not
// load it. The one list; `lockkit/masking` has the same.
export { ALL_DETECTORS, DEFAULT_DETECTORS, type DetectorName } from './masking/detector.js';
