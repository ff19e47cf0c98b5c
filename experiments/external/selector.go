package external

import (
	"errors"
	"fmt"
	"os/exec"
	"strings"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/chains/numpy"
	"breadboard/chains/selector"
	"breadboard/grid"
)

// Forms are the forms of the selectors that ParseKernel reads: those of the library, and of kernels from outside.
func Forms() selector.Set[Env, *chains.Transitions] {
	library := selector.AdaptSet(kernels.Forms(), func(e Env) kernels.Env { return kernels.Env{Space: e.Space} }, chains.Always)
	return library.With(matrixForm, execForm)
}

// Env is what must be known beside the arguments of a kernel's selector.
type Env struct {
	Space    grid.Graph // the space that the kernel moves on
	Programs *Programs  // holds the programs that are started; nil refuses kernels in programs
}

// ParseKernel returns the kernel of a selector on a space: one of kernels.Parse, matrix:PATH or exec:COMMAND.
// A program that it starts is added to programs.
func ParseKernel(text string, space grid.Graph, programs *Programs) (*chains.Transitions, error) {
	if library := kernels.Forms(); library.Named(text) { // most kernels are of the library and need no adapted forms
		return always(library.Parse(text, kernels.Env{Space: space}))
	}
	return Forms().Parse(text, Env{space, programs})
}

// matrixForm is how matrices from files are selected.
func matrixForm() selector.Form[Env, *chains.Transitions] {
	return selector.Form[Env, *chains.Transitions]{
		Syntax:  "matrix:PATH",
		Doc:     "the target's transition matrix from .npy, .npz#KEY, .mtx (MatrixMarket), .tra (PRISM), .umb (UMB) or CSV, reversible or not; with {t} in the path or the KEY one for each t = 2..T",
		Example: "matrix:kernel.npy", File: numpy.FileOf,
		Parse: func(args selector.Args, on Env) (*chains.Transitions, error) {
			switch {
			case args.Text == "":
				return nil, errors.New("kernel matrix: no path; write matrix:PATH, as in matrix:kernel.npy")
			case strings.Contains(args.Text, stageMark):
				return ReadMatrices(args.Text, on.Space)
			}
			return always(ReadMatrix(args.Text, on.Space))
		},
	}
}

// execForm is how programs are selected.
func execForm() selector.Form[Env, *chains.Transitions] {
	return selector.Form[Env, *chains.Transitions]{
		Syntax:  execPrefix + "COMMAND",
		Doc:     "a program that speaks JSON Lines (experiments/external/PROTOCOL.md), reversible or not",
		Example: "exec:python3 kernel.py", Program: true,
		Parse: func(args selector.Args, on Env) (*chains.Transitions, error) {
			if on.Programs == nil {
				return nil, args.Errorf("programs cannot be run here")
			}
			return always(on.Programs.Start(args.Text, on.Space))
		},
	}
}

// execPrefix is what the selector of a program begins with.
const execPrefix = "exec:"

// CommandOf returns the command of the program that the selector of a kernel names, and whether it names one.
func CommandOf(kernel string) (command string, is bool) { return strings.CutPrefix(kernel, execPrefix) }

// IsProgram reports whether the selector of a kernel names a program.
func IsProgram(kernel string) bool {
	_, is := CommandOf(kernel)
	return is
}

// ProgramSelector returns the selector of a program in canonical form, with one blank between the words of its command, and these words. It
// starts nothing, and fails where there is no command or the system does not find it.
func ProgramSelector(kernel string) (canonical string, words []string, err error) {
	command, err := splitCommand(strings.TrimPrefix(kernel, execPrefix))
	if err != nil {
		return "", nil, fmt.Errorf("kernel %s: %w", kernel, err)
	}
	if _, err := exec.LookPath(command.words[0]); err != nil {
		return "", nil, fmt.Errorf("kernel %s: %w", kernel, notStarted(command.text, err))
	}
	return execPrefix + strings.Join(command.words, " "), command.words, nil
}

// always returns the transitions that have the kernel k at every stage, or the error.
func always[K chains.Kernel](k K, err error) (*chains.Transitions, error) {
	if err != nil {
		return nil, err
	}
	return chains.Always(k), nil
}
