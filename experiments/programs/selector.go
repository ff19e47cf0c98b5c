// Package programs runs kernels that are not written in Go, and external programs that make chains.
// It reads transition matrices from files, and speaks with programs. It never trusts them. A
// program that does not answer, writes too much, ends early or breaks the protocol is killed with
// all its descendants, and the error names it.
//
// On Linux each program runs below a keeper: the binary that uses this package, started again as a
// child subreaper. The package's init turns that process into the keeper before main is called. It
// kills every descendant of the program when the program is ended and when the process that started
// it dies, and touches nothing else. On other systems only the program's process group is killed
// (on Windows the program alone), so that a child in a session of its own continues.
//
// A program speaks JSON Lines; see PROTOCOL.md in this folder. One that asks for its random choices
// has its exact transition matrix; one that makes its own is tested against the exact distribution.
// A matrix (matrix:PATH) is the target's transition matrix from .npy, CSV or a file of another tool
// (package matrices). It is examined at beta = 1, and J has as many digits as the file allows. With
// {t} in the path there is one file for each stage t = 2..T, and annealing uses them. Nothing is
// ever rescaled.
//
// A Sampler is a program that makes annealed chains in batches, each from a seed. This package does
// not test their distribution.
package programs

import (
	"encoding/json"
	"fmt"
	"os/exec"
	"slices"
	"strings"

	"breadboard/chains"
	"breadboard/chains/errs"
	"breadboard/chains/kernels"
	"breadboard/chains/numpy"
	"breadboard/chains/selector"
	"breadboard/grid"
)

// Forms are the forms of the selectors of kernels: those of the library, and of kernels
// from outside.
func Forms() selector.Set[Env, *chains.Transitions] {
	library := kernels.Forms()
	adapted := selector.AdaptSet(
		library,
		func(e Env) kernels.Env { return kernels.Env{Space: e.Space, Forms: library} },
		chains.Always,
	)
	return selector.With(adapted, matrixForm, execForm)
}

// Env is the context in which a kernel's selector is parsed.
type Env struct {
	Forms selector.Set[Env, *chains.Transitions] // those that Parse reads
	Space grid.Graph                             // the space that the kernel moves on
	// holds the started programs; if nil, kernels in programs are errors
	Programs *Programs
	Labels   []func(x int) string // the names of a state in tables; none if states have only numbers
}

// Parse returns the kernel of a selector, perhaps with a name of the user's own in front. A program
// that it starts is added to the programs.
func (e Env) Parse(text string) (*chains.Transitions, error) {
	_, text, err := e.Forms.Listing.CutName(text)
	if err != nil {
		return nil, err
	}
	if !e.Forms.Listing.Named(text) {
		if err := elsewhere(text); err != nil {
			return nil, err
		}
	}
	return e.Forms.Parse(text, e)
}

// elsewhere returns the error for an algorithm that is no kernel, with the commands that are about
// it; nil for any other text.
func elsewhere(text string) error {
	name, _, _ := strings.Cut(strings.ToLower(text), ":")
	where := ""
	switch name {
	case "temper", "tempering", "pt", "parallel-tempering", "replica-exchange", "remc":
		where = "parallel tempering has breadboard temper and temper compare, and is temper:T in " +
			"breadboard samplers times, as in {kernel} metropolis,temper:4"
	case "annealing", "simulated-annealing", "sa", "ais":
		where = "breadboard tightness, ais and success anneal by any kernel"
	case "smc", "pf", "particles", "particle-filter", "pgibbs":
		where = "breadboard smc, smc gibbs and evidence are about particles"
	default:
		return nil
	}
	return errs.New("unknown kernel %q, which is not a kernel: "+where, text)
}

// matrixForm is how matrices from files are selected.
func matrixForm() selector.Form[Env, *chains.Transitions] {
	return selector.Form[Env, *chains.Transitions]{
		Syntax:  "matrix:PATH",
		Doc:     "the transition matrix from a file (help files); with {t} in PATH, one for each t = 2..T",
		Example: "matrix:kernel.npy", File: numpy.FileOf,
		Parse: func(args selector.Args, on Env) (*chains.Transitions, error) {
			switch {
			case args.Text == "":
				return nil, errs.New("kernel matrix: no path; write matrix:PATH, as in matrix:kernel.npy")
			case strings.Contains(args.Text, stageMark):
				return readMatrices(args.Text, on)
			}
			return always(on.ReadMatrix(args.Text))
		},
	}
}

// execForm is how programs are selected.
func execForm() selector.Form[Env, *chains.Transitions] {
	return selector.Form[Env, *chains.Transitions]{
		Syntax:  execPrefix + "COMMAND",
		Doc:     "a program that speaks JSON Lines (experiments/programs/PROTOCOL.md)",
		Example: "exec:python3 kernel.py", Program: true,
		Parse: func(args selector.Args, on Env) (*chains.Transitions, error) {
			if on.Programs == nil {
				return nil, args.Errorf("programs cannot be run here")
			}
			return always(on.Programs.StartKernel(args.Text, on.Space))
		},
	}
}

// execPrefix is what the selector of a program begins with.
const execPrefix = "exec:"

// CommandOf returns the command of the program that the selector of a kernel names, and whether it
// names one.
func CommandOf(kernel string) (command string, is bool) {
	_, kernel = selector.SplitName(kernel)
	return strings.CutPrefix(kernel, execPrefix)
}

// IsProgram reports whether the selector of a kernel names a program.
func IsProgram(kernel string) bool {
	_, is := CommandOf(kernel)
	return is
}

// ProgramSelector returns the selector of a program in canonical form, and the words of its
// command: separated by single blanks, or as a JSON array if one of them needs quotes. It starts
// nothing, and fails if there is no command or the system does not find it.
func ProgramSelector(kernel string) (canonical string, words []string, err error) {
	command, err := splitCommand(strings.TrimPrefix(kernel, execPrefix))
	if err != nil {
		return "", nil, fmt.Errorf("kernel %s: %w", kernel, err)
	}
	if _, err := exec.LookPath(command.words[0]); err != nil {
		return "", nil, fmt.Errorf("kernel %s: %w", kernel, notStarted(command.text, err))
	}
	canonical = strings.Join(command.words, " ")
	if again, err := splitWords(canonical, false); err != nil || !slices.Equal(again, command.words) {
		array, err := json.Marshal(command.words)
		return execPrefix + string(array), command.words, err
	}
	return execPrefix + canonical, command.words, nil
}

// always returns the transitions that have the kernel k at every stage, or the error.
func always[K chains.Kernel](k K, err error) (*chains.Transitions, error) {
	if err != nil {
		return nil, err
	}
	return chains.Always(k), nil
}

// ExactRounding is the largest rounding of numbers that count as written in full.
const ExactRounding = 1e-15
