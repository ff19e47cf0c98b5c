//go:build !(goexperiment.simd && amd64)

package lanes

const portableName = "portable (built without GOEXPERIMENT=simd)"

// Units returns the units of this program that this processor has, the widest first.
func Units() []*Unit { return []*Unit{Portable()} }
