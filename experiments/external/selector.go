package external

import (
	"errors"
	"strings"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/chains/selector"
	"breadboard/grid"
)

// Forms are the forms of the selectors that ParseKernel reads: those of the library, and of kernels from outside.
func Forms() selector.Set[Env, chains.Kernel] {
	library := selector.AdaptSet(kernels.Forms(), func(e Env) kernels.Env { return kernels.Env{Space: e.Space} }, selector.Same[chains.Kernel])
	return library.With(matrixForm, execForm)
}

// Env is what must be known beside the arguments of a kernel's selector.
type Env struct {
	Space    grid.Graph // that it moves on
	Programs *Programs  // among which programs are started; nil refuses them
}

// ParseKernel returns the kernel of a selector on a space: one of kernels.Parse, matrix:PATH or exec:COMMAND.
// Programs are started among the given ones.
func ParseKernel(text string, space grid.Graph, programs *Programs) (chains.Kernel, error) {
	if library := kernels.Forms(); library.Named(text) { // most are, and need no adapted forms
		return library.Parse(text, kernels.Env{Space: space})
	}
	return Forms().Parse(text, Env{space, programs})
}

// matrixForm is how matrices from files are selected.
func matrixForm() selector.Form[Env, chains.Kernel] {
	return selector.Form[Env, chains.Kernel]{
		Syntax:  "matrix:PATH",
		Doc:     "the target's transition matrix from .npy or CSV, reversible or not; with {t} in the path one for each t = 2..T",
		Example: "matrix:kernel.npy", File: selector.WholeArgument,
		Parse: func(args selector.Args, on Env) (chains.Kernel, error) {
			switch {
			case args.Text == "":
				return nil, errors.New("kernel matrix: no path; write matrix:PATH, as in matrix:kernel.npy")
			case strings.Contains(args.Text, stageMark):
				return orNil(ReadMatrices(args.Text, on.Space))
			}
			return orNil(ReadMatrix(args.Text, on.Space))
		},
	}
}

// execForm is how programs are selected.
func execForm() selector.Form[Env, chains.Kernel] {
	return selector.Form[Env, chains.Kernel]{
		Syntax:  "exec:COMMAND",
		Doc:     "a program that speaks JSON Lines (experiments/external/PROTOCOL.md), reversible or not",
		Example: "exec:python3 kernel.py",
		Parse: func(args selector.Args, on Env) (chains.Kernel, error) {
			if on.Programs == nil {
				return nil, args.Errorf("programs cannot be run here")
			}
			return orNil(on.Programs.Start(args.Text, on.Space))
		},
	}
}

// orNil keeps a nil pointer from becoming a kernel that is not nil.
func orNil[K chains.Kernel](k K, err error) (chains.Kernel, error) {
	if err != nil {
		return nil, err
	}
	return k, nil
}
