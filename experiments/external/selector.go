package external

import (
	"errors"
	"fmt"
	"strings"

	"breadboard/chains"
	"breadboard/grid"
)

// Forms are the selectors of kernels from outside, beside those of the library.
func Forms() []chains.KernelForm {
	return []chains.KernelForm{
		{Form: "matrix:PATH", Description: "the target's transition matrix from .npy or CSV, reversible or not; with {t} in the path one for each t = 2..T"},
		{Form: "exec:COMMAND", Description: "a program that speaks JSON Lines (experiments/external/PROTOCOL.md), reversible or not"},
	}
}

// Selectors returns the forms that ParseKernel reads.
func Selectors() []string {
	list := chains.KernelSelectors()
	for _, f := range Forms() {
		list = append(list, f.Form)
	}
	return list
}

// ParseKernel returns the kernel of a selector on a space: one of chains.ParseKernel, matrix:PATH or exec:COMMAND.
// Programs are started among the given ones.
func ParseKernel(selector string, space *grid.Lattice, programs *Programs) (chains.Kernel, error) {
	name, arg, _ := strings.Cut(selector, ":")
	switch name {
	case "matrix":
		if arg == "" {
			return nil, errors.New("kernel matrix: no path; write matrix:PATH, as in matrix:kernel.npy")
		}
		if strings.Contains(arg, stageMark) {
			return orNil(ReadMatrices(arg, space))
		}
		return orNil(ReadMatrix(arg, space))
	case "exec":
		if programs == nil {
			return nil, fmt.Errorf("kernel %q: programs cannot be run here", selector)
		}
		return orNil(programs.Start(arg, space))
	}
	if !chains.Named(selector, chains.KernelSelectors()) {
		return nil, chains.UnknownError("kernel", selector, Selectors())
	}
	return chains.ParseKernel(selector, space)
}

// orNil keeps a nil pointer from becoming a kernel that is not nil.
func orNil[K chains.Kernel](k K, err error) (chains.Kernel, error) {
	if err != nil {
		return nil, err
	}
	return k, nil
}
