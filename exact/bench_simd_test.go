//go:build goexperiment.simd

package exact_test

// simd says that the solver may use vectors of the processor, of which more is asked then.
const simd = true
