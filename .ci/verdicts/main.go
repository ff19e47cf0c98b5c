// Verdicts runs breadboard's checks of published software, and compares their verdicts with the
// recorded ones.
//
//	go run ./.ci/verdicts -needs debian        what to install first; or npm
//	go run ./.ci/verdicts -program PROGRAM     runs all checks, and fails if a verdict differs
//	go run ./.ci/verdicts -program PROGRAM -only vegan,jags/asia -seeds 1
//	go run ./.ci/verdicts -program PROGRAM -update
//	go run ./.ci/verdicts -page                rewrites the pages from the recorded verdicts
//
// Each check and its control run with every seed. A check is steady if all seeds agree.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"
)

const (
	recorded = folder + "/verdicts.txt"
	topic    = "cmd/breadboard/topics/published.md"
)

// asked is what the command line asks for.
type asked struct {
	needs, program, modules, only, seeds string
	update, page                         bool
}

func main() {
	var a asked
	flag.StringVar(&a.needs, "needs", "", "print what to install of `debian` or npm")
	flag.StringVar(&a.program, "program", "", "the `breadboard` that checks")
	flag.StringVar(&a.modules, "modules", "", "the node_modules `folder` with the modules of npm")
	flag.StringVar(&a.only, "only", "", "the packages or checks to run, as `vegan,jags/asia`")
	flag.StringVar(&a.seeds, "seeds", "1,2,3,4", "the `seeds` of each check")
	flag.BoolVar(&a.update, "update", false, "record the verdicts, and rewrite the pages")
	flag.BoolVar(&a.page, "page", false, "rewrite the pages from the recorded verdicts")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := do(ctx, os.Stdout, a)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "verdicts:", err)
		os.Exit(1)
	}
}

// do does what was asked for, in the root of a clone.
func do(ctx context.Context, out io.Writer, a asked) error {
	all, err := load(".")
	if err != nil {
		return err
	}
	if a.needs != "" {
		fmt.Fprintln(out, strings.Join(needs(all, a.needs), " "))
		return nil
	}
	before, err := recall(".")
	if err != nil || a.page {
		return errors.Join(err, publish(".", all, before))
	}
	where, err := a.findPlace()
	if err != nil {
		return err
	}
	now, unsteady := where.all(ctx, out, selected(all, a.only), strings.Split(a.seeds, ","))
	if err := context.Cause(ctx); err != nil {
		return err
	}
	if len(unsteady) != 0 {
		return errors.New(strings.Join(unsteady, "\n"))
	}
	if a.update {
		now = merge(all, before, now)
		return errors.Join(os.WriteFile(recorded, []byte(write(now)), 0o644), publish(".", all, now))
	}
	if lines := changes(before, now); len(lines) != 0 {
		return fmt.Errorf("verdicts are not those of %s:\n%s", recorded, strings.Join(lines, "\n"))
	}
	fmt.Fprintf(out, "%d checks have the verdicts of %s\n", len(now), recorded)
	return nil
}

// needs lists what has to be installed.
func needs(all []published, kind string) []string {
	var list []string
	for _, p := range all {
		if kind == "npm" {
			list = append(list, p.NPM...)
		} else {
			list = append(list, p.Debian...)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// recall reads the recorded verdicts, of which there are none before the first.
func recall(root string) ([]record, error) {
	text, err := os.ReadFile(filepath.Join(root, recorded))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	return read(string(text))
}

// publish writes the topic, and the README of each package.
func publish(root string, all []published, records []record) error {
	file := filepath.Join(root, topic)
	old, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	files, err := pages(string(old), all, records)
	for name, text := range files {
		err = errors.Join(err, os.WriteFile(filepath.Join(root, name), []byte(text), 0o644))
	}
	return err
}

// findPlace is where the commands find breadboard, its Python module and the modules of npm.
func (a asked) findPlace() (place, error) {
	program, err := filepath.Abs(a.program)
	if err != nil || a.program == "" {
		return place{}, errors.Join(err, errors.New(
			"name the program with -program, as in -program bin/breadboard; its name must be breadboard",
		))
	}
	module, err := filepath.Abs("python")
	if err != nil {
		return place{}, err
	}
	modules, err := filepath.Abs(a.modules)
	if err != nil {
		return place{}, err
	}
	return place{append(os.Environ(),
		"PATH="+filepath.Dir(program)+":/usr/bin:"+os.Getenv("PATH"), "BREADBOARD="+program,
		"PYTHONPATH="+module, "NODE_PATH="+modules,
		"PYTHONDONTWRITEBYTECODE=1", "OMP_NUM_THREADS=1", "OPENBLAS_NUM_THREADS=1"), 2 * time.Minute}, nil
}

// selected keeps the packages and checks that only names; nothing stands for all.
func selected(all []published, only string) []published {
	if only == "" {
		return all
	}
	names := strings.Split(only, ",")
	var kept []published
	for _, p := range all {
		p.Checks = slices.DeleteFunc(slices.Clone(p.Checks), func(c check) bool {
			return !slices.Contains(names, filepath.Base(p.folder)) && !slices.Contains(names, p.name(c))
		})
		if len(p.Checks) != 0 {
			kept = append(kept, p)
		}
	}
	return kept
}

// name is that of a check of the package among all checks.
func (p published) name(c check) string { return filepath.Base(p.folder) + "/" + c.Name }

// task is a check that is to run, of a package with a version.
type task struct {
	published
	check
	version string
}

// tasks lists the checks of packages whose version is known, and says why it is not known of
// others.
func (w place) tasks(ctx context.Context, all []published) (list []task, unknown []string) {
	for _, p := range all {
		text, code, err := w.runLine(ctx, p.folder, p.Version, "1")
		version := strings.TrimSpace(text)
		if err != nil || code != 0 || len(strings.Fields(version)) != 1 {
			unknown = append(unknown, fmt.Sprintf("%s: the command of its version printed %q with exit code %d, %v",
				p.Package, version, code, err))
			continue
		}
		for _, c := range p.Checks {
			list = append(list, task{p, c, version})
		}
	}
	return list, unknown
}

// all runs checks, some at once, prints each as it ends, and returns their records and what is not
// as the checks say.
func (w place) all(ctx context.Context, out io.Writer, all []published,
	seeds []string) (records []record, unsteady []string) {
	list, unsteady := w.tasks(ctx, all)
	records = make([]record, len(list))
	var group sync.WaitGroup
	var lock sync.Mutex
	free := make(chan bool, runtime.NumCPU())
	for i, t := range list {
		group.Go(func() {
			free <- true
			defer func() { <-free }()
			begin := time.Now()
			r, said := w.both(ctx, t, seeds)
			lock.Lock()
			defer lock.Unlock()
			records[i], unsteady = r, append(unsteady, said...)
			fmt.Fprintf(out, "%-36s %-12s %s after %s; control %s after %s (%.1f s)\n", r.name, r.version,
				r.verdict, r.after, r.control, r.behind,
				time.Since(begin).Seconds())
		})
	}
	group.Wait()
	slices.Sort(unsteady)
	return records, unsteady
}

// both runs a check and its control with every seed, records them with the first one, and says what
// is not as the check says.
func (w place) both(ctx context.Context, t task, seeds []string) (r record, unsteady []string) {
	r = record{name: t.name(t.check), version: t.version}
	for i, seed := range seeds {
		if i > 0 && !strings.Contains(t.Command+t.Control, "SEED") {
			break
		}
		for _, ran := range []struct {
			line, want     string
			verdict, after *string
		}{{t.Command, t.Verdict, &r.verdict, &r.after}, {t.Control, t.opposite(), &r.control, &r.behind}} {
			text, code, err := w.runLine(ctx, t.folder, ran.line, seed)
			o := judge(text, code)
			if i == 0 {
				*ran.verdict, *ran.after = o.verdict, o.after
			}
			if o.verdict != ran.want || err != nil {
				unsteady = append(unsteady,
					fmt.Sprintf("%s, version %s, seed %s: %s and not %s (exit code %d, %v)\n  %s\n%s", r.name,
						r.version, seed, o.verdict,
						ran.want, code, err, ran.line, text))
			}
		}
	}
	return r, unsteady
}

// merge is what is to be recorded after some of the checks ran: what is known of the others stays.
func merge(all []published, before, now []record) (records []record) {
	for _, p := range all {
		for _, c := range p.Checks {
			for _, from := range [][]record{now, before} {
				if i := slices.IndexFunc(from, func(r record) bool { return r.name == p.name(c) }); i >= 0 {
					records = append(records, from[i])
					break
				}
			}
		}
	}
	return records
}
