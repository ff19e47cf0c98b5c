package sweep

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sort"

	"breadboard/chains/errs"
	"breadboard/chains/selector"
	"breadboard/experiments/programs"
	"breadboard/experiments/subject"
)

// programHash is the name of the key with the files of kernels in other programs (exec:COMMAND). A
// command does not show which files it reads, so the author names them: their contents are part of
// every cell with such a kernel.
const programHash = "program-hash"

// programFiles reads the paths of the files that programs are made of: one, or a list.
func (p parser) programFiles(v any) (paths []string, err error) {
	list, ok := v.([]any)
	if !ok {
		list = []any{v}
	}
	for _, v := range list {
		path, isText := v.(string)
		if !isText || path == "" {
			return nil, errs.New("%s: %s is %s; write the path of a file in quotes, as in %s = [\"kernel.py\"]",
				p.describePath(programHash), programHash,
				selector.Cut(fmt.Sprintf("%#v", v)), programHash)
		}
		paths = append(paths, path)
	}
	return paths, nil
}

// program reports whether the kernel of a cell is a program.
func (c Cell) program() bool { return programs.IsProgram(c.Get(kernelName)) }

// kernelName is the name of the parameter that may name a program.
const kernelName = "kernel"

// canonizePrograms finds the canonical form of every kernel in another program, without starting
// it, and refuses such kernels if nothing says which files they are made of.
func (r *resolver) canonizePrograms() error {
	k := r.parameterIndex(kernelName)
	files := r.spec.programFiles()
	for _, v := range r.written(kernelName) {
		if !programs.IsProgram(v.text) {
			continue
		}
		name, words, err := programs.ProgramSelector(v.text)
		if err != nil {
			return fmt.Errorf("%s: %w", v.place, err)
		}
		if len(files) == 0 {
			return fmt.Errorf("%s: kernel %s: %w", v.place, v.text, unnamed(words))
		}
		r.names[asWritten{k, v.text}], r.programs = name, files
		for _, path := range filesAmong(words) {
			if !slices.ContainsFunc(files, func(file string) bool { return sameFile(file, path) }) {
				r.doubt("the kernel %s uses the file %s, but %s does not list it: if the file changes, "+
					"old results are kept",
					v.text, path, programHash)
			}
		}
	}
	if r.programs == nil && len(files) > 0 {
		r.doubt("%s lists %s, but no kernel of the sweep is a program (exec:), so these files are ignored",
			programHash, short(files))
	}
	return nil
}

// doubt notes a doubt, once.
func (r *resolver) doubt(format string, args ...any) {
	if doubt := fmt.Sprintf(format, args...); !slices.Contains(r.doubts, doubt) {
		r.doubts = append(r.doubts, doubt)
	}
}

// unnamed is the error for a program of which no file is named.
func unnamed(words []string) error {
	example := "FILE"
	if files := filesAmong(words); len(files) > 0 {
		example = files[0]
	}
	return errs.New(
		"a change of the program would go unnoticed, and its old results would be kept; list its files at "+
			"the top of the specification: %s = [%q]",
		programHash,
		example,
	)
}

// filesAmong returns the cleaned paths of the files among the words of a command. Its first word,
// which is looked up in the PATH, is one where it is a relative path: an absolute one is most often
// an interpreter.
func filesAmong(words []string) (paths []string) {
	for i, word := range words {
		if i == 0 && (filepath.IsAbs(word) || filepath.Base(word) == word) {
			continue
		}
		if info, err := os.Stat(word); err == nil && info.Mode().IsRegular() {
			paths = append(paths, filepath.Clean(word))
		}
	}
	return paths
}

// programFiles returns the cleaned paths of the files that programs are made of, each file once, in
// their order.
func (s *Spec) programFiles() []string {
	var paths []string
	for _, path := range s.programs {
		paths = append(paths, filepath.Clean(path))
	}
	sort.Strings(paths)
	var once []string
	for _, path := range paths {
		if !slices.ContainsFunc(once, func(other string) bool { return sameFile(other, path) }) {
			once = append(once, path)
		}
	}
	return once
}

// sameFile reports whether two cleaned paths lead to one file.
func sameFile(a, b string) bool {
	if a == b {
		return true
	}
	first, err := os.Stat(a)
	second, other := os.Stat(b)
	return err == nil && other == nil && os.SameFile(first, second)
}

// reader returns a reader that has started the program of a cell, if it has one, and what ends it.
// Every cell starts its own, so that nothing that a program keeps in mind, and no end of it, goes
// over from one cell to another.
func (c Cell) reader(ctx context.Context, forms subject.Forms) (in subject.Reader, end func()) {
	in.Forms = forms
	if !c.program() {
		return in, func() {}
	}
	programs := programs.NewPrograms(ctx, programs.DefaultDeadline)
	in.Programs = programs
	return in, programs.Close
}

// Measured with examples/choose.py of package programs, in Python: the seconds until a program has
// said its first line, and those of the moves from one state under one distribution. A program with
// other moves may take ten times as long, or a tenth.
const (
	programStart = 0.1
	programRow   = 0.6e-3
)

// programCost returns the seconds that are spent with the program of a cell on a space of that many
// states.
func (c Cell) programCost(states int) float64 {
	if !c.program() {
		return 0
	}
	return programStart + programRow*float64(states)*float64(c.distributions()-1)
}
