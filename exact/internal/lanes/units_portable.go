//go:build !(goexperiment.simd && amd64)

package lanes

const portableName = "portable (built without GOEXPERIMENT=simd)"

// Calm makes plain code run at its own speed again after vectors have been used. This program has none.
func Calm() {}

// Units returns the units of this program that this processor has, the widest first.
func Units() []*Unit { return []*Unit{Portable()} }
