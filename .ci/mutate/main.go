// Command mutate measures how much the tests notice. It makes one small change at a time to the
// code of some packages, a constant doubled, a comparison or a sign turned, an error not returned,
// and runs their tests: the default run, and with -long then also the one with -long. A
// change that no test notices is a survivor: it is printed with its place, as a bound, a guard or a
// number that nothing holds.
//
//	go run ./.ci/mutate -n 20 ./exact/... ./experiments/... ./reports/...
//
// It never writes into the source tree: each mutant is built through the -overlay of the go
// command. A change that does not compile is passed over and does not count. One whose tests run
// too long counts as noticed. The changes are drawn by a seed, and each one's place in that draw
// depends only on its own file and text, so that the same sample comes out after code has moved
// elsewhere or tests have been added. A run takes the time of one build and one test run for each
// mutant, some minutes for twenty of a large package.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"regexp"
	"strings"
	"time"
)

// options says what is changed and how it is tested.
type options struct {
	seed       uint64
	number     int // of mutants of each package
	files      *regexp.Regexp
	kinds      map[kind]bool
	dependents bool // whether the tests of importing packages run too, where a package's own pass
	long       bool // whether tests run with -long too
	list       bool
	margin     float64 // a mutant may take as many times what the tests take on the code as it is
	// the survivors of an earlier run: their lines then, by mutant.key; nil for all mutants
	again    map[string][]int
	patterns []string
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := runMutants(ctx, os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "mutate:", err)
		os.Exit(1)
	}
}

// parse reads the command line.
func parse(args []string) (*options, error) {
	o := &options{}
	set := flag.NewFlagSet("mutate", flag.ContinueOnError)
	set.Uint64Var(&o.seed, "seed", 1, "which mutants are drawn")
	set.IntVar(&o.number, "n", 20, "how many mutants of each package are tested; 0 is all of them")
	files := set.String("files", "", "only files whose path matches this regular expression")
	kinds := set.String("kinds",
		"", "only these kinds of changes, separated by commas: "+strings.Join(kindNames(), ", "))
	set.BoolVar(&o.dependents, "dependents", false,
		"run the tests of all packages that import the changed one too, where its own tests pass")
	set.BoolVar(&o.long, "long", false, "run the tests with -long too, where the default run passes")
	set.BoolVar(&o.list, "list", false, "print the mutants, and test none")
	again := set.String("again", "",
		"only the mutants that survived in the earlier run whose output is in this file, however many they are")
	set.Float64Var(&o.margin, "margin",
		4, "how many times the usual duration of the tests a mutant may take, and 20 seconds more")
	if err := set.Parse(args); err != nil {
		return nil, err
	}
	o.patterns = set.Args()
	if len(o.patterns) == 0 {
		return nil, fmt.Errorf("no package is named: give patterns, as in ./exact/... for all below a folder")
	}
	var err error
	o.files, err = regexp.Compile(*files)
	if err != nil {
		return nil, err
	}
	o.kinds, err = parseKinds(*kinds)
	if err != nil || *again == "" {
		return o, err
	}
	o.number = 0
	o.again, err = readSurvivors(*again)
	return o, err
}

func runMutants(ctx context.Context, args []string, out io.Writer) error {
	o, err := parse(args)
	if err != nil {
		return err
	}
	packages, err := listPackages(ctx, o.patterns)
	if err != nil {
		return err
	}
	bench, err := newBench(ctx, o.long)
	if err != nil {
		return err
	}
	defer bench.close()
	var all score
	for _, p := range packages {
		s, err := testPackage(ctx, o, bench, p, out)
		if err != nil {
			return err
		}
		all.add(s)
	}
	if !o.list {
		fmt.Fprintf(out, "all: %s\n", all)
	}
	return nil
}

// score counts mutants by what became of them.
type score struct{ noticed, survived, invalid int }

func (s *score) add(t score) {
	s.noticed += t.noticed
	s.survived += t.survived
	s.invalid += t.invalid
}

func (s score) String() string {
	total := s.noticed + s.survived
	if total == 0 {
		return "no mutants"
	}
	return fmt.Sprintf("%d of %d mutants noticed, %.0f%%; %d more did not compile", s.noticed, total,
		100*float64(s.noticed)/float64(total), s.invalid)
}

// testPackage draws mutants of one package and tests them one after another.
func testPackage(ctx context.Context, o *options, bench *bench, p pkg, out io.Writer) (score, error) {
	var s score
	mutants, err := drawMutants(o, p)
	if err != nil || len(mutants) == 0 {
		return s, err
	}
	tested := bench.testers(p)
	if !o.list {
		if o.dependents {
			tested = append(tested, bench.importers(p.ImportPath)...)
		}
		if err := bench.measure(ctx, tested); err != nil {
			return s, err
		}
	}
	for _, m := range mutants {
		if o.number > 0 && s.noticed+s.survived >= o.number {
			break
		}
		if o.list {
			fmt.Fprintln(out, m)
			s.noticed++
			continue
		}
		started := time.Now()
		fate, err := bench.try(ctx, m, tested, o.margin)
		if err != nil {
			return s, err
		}
		switch fate {
		case invalid:
			s.invalid++
			continue
		case noticed:
			s.noticed++
		case survived:
			s.survived++
		}
		fmt.Fprintf(out, "%-8s %5.1fs %s\n", fate, time.Since(started).Seconds(), m)
	}
	if !o.list {
		fmt.Fprintf(out, "%s: %s\n", p.ImportPath, s)
	}
	return s, nil
}
