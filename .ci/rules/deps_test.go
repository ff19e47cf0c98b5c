// Package rules holds no code, only tests of what must be true of the whole tree: imports, sizes,
// readers of files, words and names.
package rules

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"breadboard/grid/longtest"
)

// allowed says which of the project's packages each package may import, tests left aside but for
// the package that is nothing else. Data flows one way: a package stands below all that it may
// import.
func allowed() map[string]string {
	const (
		links = "chains/couplings chains/diagnostics chains/estimators chains/kernels chains/matrices " +
			"chains/number chains/numpy chains/particle chains/paths chains/schedules chains/selector " +
			"chains/simulate chains/sites chains/tables chains/tempering "
		below = "grid chains " + links + "toys toys/models "
		rooms = "exact exact/averages exact/certified exact/climb exact/laws exact/gradient " +
			"exact/kernel exact/meeting exact/policies exact/smc exact/program exact/ranks exact/replicas " +
			"exact/stages exact/weights "
		parts   = "experiments/programs experiments/placement "
		studies = "experiments/... "
		shown   = "reports reports/check reports/columns reports/figure reports/table "
		// What a study needs to declare itself and to show what it has found.
		declared = shown + "experiments/subject experiments/study experiments/curves "
	)
	return map[string]string{
		"":               "",
		"grid":           "",
		"grid/quotients": "grid",
		// For tests only.
		"grid/longtest": "",

		"chains/selector": "",
		"chains/number":   "",
		"chains/numpy":    "chains/selector",
		"chains/matrices": "chains/numpy chains/selector",
		// Every package may import these; the compiler refuses cycles.
		"chains/errs":        "",
		"chains/work":        "",
		"chains/frames":      "chains",
		"chains":             "chains/number",
		"chains/kernels":     "grid grid/quotients chains chains/selector chains/number",
		"chains/paths":       "chains chains/number chains/numpy chains/selector",
		"chains/schedules":   "chains chains/numpy chains/selector chains/number",
		"chains/simulate":    "grid chains chains/kernels chains/number",
		"chains/particle":    "grid chains chains/kernels chains/number chains/selector chains/simulate",
		"chains/estimators":  "grid chains chains/kernels chains/number",
		"chains/diagnostics": "chains/number",
		"chains/couplings":   "grid chains chains/kernels chains/number chains/selector",
		"chains/tempering":   "chains chains/selector",
		"chains/sites":       "chains/simulate",
		"chains/tables":      "chains/selector",
		// Suites and helpers for tests: no package may import them, and none is allowed to here.
		"chains/selector/selectortest": "chains/selector",
		"chains/chainstest":            "grid grid/longtest chains chains/number chains/paths chains/schedules",

		"toys/models": "grid chains chains/estimators chains/number chains/paths chains/particle chains/selector",

		"toys/latent": "grid chains chains/estimators chains/number toys/models",

		"toys/energies": "grid chains/numpy chains/selector chains/tables toys/models",

		"toys/ground": "chains/number",

		"toys/networks": "grid chains/particle chains/number chains/selector toys/models",

		"toys": "grid grid/quotients chains chains/number chains/numpy chains/paths chains/selector " +
			"chains/tables toys/energies toys/models toys/networks",
		// Where the forms of targets meet.
		"toys/forms": "chains/paths chains/selector toys toys/networks",

		"exact/internal/lanes":  "chains",
		"exact/internal/mellin": "chains chains/number exact/internal/lanes",
		"exact/internal/crew":   "",
		"exact/internal/operator": "grid chains chains/kernels exact/internal/crew exact/internal/lanes " +
			"chains/number exact/kernel",
		"exact/program":         "chains chains/number",
		"exact/internal/linear": "chains chains/number exact/internal/lanes",
		"exact/kernel":          "grid chains exact/internal/linear chains/number exact/program",
		"exact/internal/stage":  "chains chains/number exact/kernel",
		"exact/climb": "chains chains/kernels chains/number exact exact/internal/crew " +
			"exact/internal/lanes exact/internal/operator exact/internal/stage exact/kernel grid",
		"exact/stages": "chains exact exact/internal/crew chains/number exact/internal/stage exact/kernel",
		"exact": "grid chains chains/kernels chains/paths exact/internal/crew " +
			"exact/internal/lanes chains/number exact/internal/linear exact/internal/operator " +
			"exact/internal/stage exact/kernel",
		"exact/weights": "chains exact exact/internal/crew exact/internal/mellin chains/number " +
			"exact/internal/operator exact/internal/stage exact/kernel",
		"exact/smc": "grid chains chains/estimators chains/kernels chains/particle " +
			"chains/selector exact exact/internal/crew exact/internal/lanes exact/internal/mellin " +
			"chains/number exact/internal/operator exact/internal/stage exact/kernel exact/program exact/weights",
		"exact/laws": "grid chains chains/estimators chains/particle chains/kernels " +
			"chains/selector exact exact/internal/crew exact/internal/mellin chains/number " +
			"exact/internal/operator exact/internal/stage exact/kernel exact/smc exact/program exact/weights",
		"exact/gradient": "chains chains/selector exact exact/internal/crew chains/number " +
			"exact/internal/operator exact/internal/stage exact/kernel",
		"exact/averages": "grid chains chains/diagnostics chains/kernels exact/internal/crew " +
			"exact/internal/lanes exact/internal/linear chains/number exact/kernel exact/program",
		"exact/meeting": "grid chains chains/couplings chains/number exact/averages " +
			"exact/internal/linear exact/kernel exact/program",
		"exact/policies": "chains chains/number exact/internal/crew exact/internal/stage exact/program",
		"exact/ranks":    "chains chains/number exact/internal/lanes",
		"exact/replicas": "grid chains chains/number chains/paths chains/tempering " +
			"exact/internal/linear exact/kernel exact/stages",
		"exact/certified": "grid grid/quotients chains chains/kernels chains/paths " +
			"chains/schedules chains/number",
		// For tests only.
		"exact/internal/exacttest": below + rooms + "toys/forms grid/longtest",

		"experiments/draws":       "",
		"experiments/draws/files": "chains chains/numpy chains/selector chains/tables experiments/draws",
		"experiments/draws/codes": "grid chains chains/number chains/selector chains/tables toys " +
			"toys/models experiments/draws experiments/draws/files",
		"experiments/programs": "grid chains chains/kernels chains/matrices chains/numpy " +
			"chains/selector chains/tables toys experiments/draws chains/number",
		"experiments/checks/kerneltest": "chains chains/simulate exact/kernel chains/number",
		"experiments/placement": "grid chains chains/paths chains/schedules chains/number chains/selector " +
			rooms,
		"experiments/subject": below + rooms + parts +
			"grid/quotients reports/columns toys/ground toys/networks",
		// Where the forms of all selectors meet.
		"experiments/forms": parts + "chains/kernels chains/schedules experiments/subject toys/forms",
		// What studies declare.
		"experiments/study":  shown + "grid chains chains/selector exact/kernel experiments/subject",
		"experiments/curves": shown + "experiments/subject",
		// A study that has no line of its own.
		"experiments/NAME": below + rooms + declared + "experiments/placement",
		"experiments/annealing/schedule": below + rooms + declared +
			"experiments/placement experiments/annealing/success experiments/annealing/tightness",
		"experiments/annealing/tightness": below + rooms + declared + "experiments/placement experiments/data/show",
		"experiments/networks/network":    declared + "chains chains/number chains/selector toys toys/networks",
		"experiments/marginal/evidence": below + rooms + declared +
			"toys/networks experiments/annealing/ais experiments/verdicts experiments/placement",
		"experiments/marginal/sandwich": below + declared +
			"experiments/marginal/evidence toys/latent",
		"experiments/marginal/sandwich/compare": below + declared +
			"experiments/annealing/ais experiments/marginal/sandwich experiments/sweeps/sweep toys/latent",
		"experiments/marginal/sandwich/pair": below + declared +
			"exact experiments/annealing/ais experiments/verdicts",
		"experiments/mcmc/samplers": below + rooms + declared +
			"grid/quotients experiments/programs",
		"experiments/mcmc/samplers/diagnose": below + rooms + declared +
			"experiments/mcmc/samplers experiments/verdicts experiments/draws/codes " +
			"experiments/draws/files experiments/draws",
		"experiments/mcmc/couple": below + rooms + declared + "experiments/mcmc/samplers",
		"experiments/mcmc/temper": below + rooms + declared +
			"experiments/placement experiments/mcmc/samplers",
		"experiments/particles/smc": below + rooms + declared + "experiments/annealing/ais",
		"experiments/particles/policy": below + rooms + declared +
			"experiments/annealing/ais experiments/particles/smc toys/networks",
		"experiments/particles/smc/adaptive": below + rooms + declared +
			"experiments/annealing/ais experiments/placement experiments/particles/smc",
		"experiments/checks/power": below + rooms + declared +
			"experiments/programs experiments/checks/sbc",
		"experiments/checks/sbc": below + rooms + declared +
			"experiments/programs experiments/checks/planted experiments/mcmc/samplers",
		"experiments/checks/annealed": "chains chains/number chains/selector chains/simulate exact " +
			"exact/kernel exact/stages exact/weights reports/check experiments/verdicts",
		"experiments/checks/reproduce/aide": below + rooms + declared + "experiments/particles/aide",
		"experiments/checks/simulated": below + rooms + declared +
			"experiments/checks/conform experiments/checks/conform/hypotheses experiments/draws",
		"experiments/checks/posterior": below + rooms + declared +
			"experiments/programs experiments/checks/law experiments/checks/sbc experiments/checks/conform/draws",
		"experiments/checks/law": declared + "chains chains/number exact/program experiments/programs",
		"experiments/checks/kernel": below + rooms + declared +
			"experiments/programs experiments/verdicts experiments/checks/planted experiments/data/show",
		"experiments/verdicts":       "chains chains/number exact/weights",
		"experiments/checks/planted": "grid chains chains/kernels chains/number",
		"experiments/checks/conform": below + rooms + declared +
			"experiments/checks/annealed experiments/verdicts experiments/marginal/evidence " +
			"experiments/programs experiments/checks/planted experiments/checks/conform/hypotheses experiments/draws",
		"experiments/checks/conform/hypotheses": below + rooms + declared +
			"experiments/verdicts experiments/checks/planted",
		"experiments/checks/conform/draws": declared + "chains chains/number chains/tables toys toys/models reports/columns " +
			"reports/check experiments/verdicts experiments/draws/codes experiments/draws/files " +
			"experiments/draws chains/selector grid",
		"experiments/checks/conform/ranks": declared + "chains chains/simulate chains/number chains/selector chains/tables " +
			"exact/ranks reports/columns reports/check experiments/verdicts " +
			"experiments/checks/conform/draws experiments/draws/files experiments/draws",
		"experiments/checks/conform/chain": declared + "chains chains/diagnostics chains/kernels chains/number " +
			"chains/selector exact/averages exact/kernel toys reports/columns reports/check " +
			"experiments/verdicts experiments/checks/conform/draws experiments/checks/planted " +
			"experiments/draws/codes experiments/mcmc/samplers grid",
		"experiments/sweeps/sweep":      below + rooms + parts + declared,
		"experiments/internal/casetest": below + declared + "experiments/forms grid/longtest", // for tests only

		"reports/columns": "chains/number chains/selector",
		"reports/check":   "reports/columns",
		"reports/table":   "chains/number chains chains/selector reports/columns",
		"reports/figure":  "reports/table chains chains/selector reports/columns chains/number",
		"reports":         shown + "chains chains/selector exact/weights chains/number",
		"reports/page":    "chains/selector reports reports/table",
		"cmd/catalogue":   below + rooms + parts + studies + shown,
		"cmd/bench":       below + rooms + parts + studies + shown + "cmd/catalogue",
		// It is built for the browser alone, so that go list ./... does not name it.
		"cmd/benchwasm": "cmd/bench cmd/catalogue",
		"cmd/breadboard": below + rooms + parts + studies + shown +
			"cmd/bench cmd/catalogue reports/page python",
		"python": "",
	}
}

// allows reports whether a rule names a package, or as FOLDER/... the folder that it is, or that it
// is in.
func allows(rule, name string) bool {
	return slices.ContainsFunc(strings.Fields(rule), func(part string) bool {
		folder, all := strings.CutSuffix(part, "/...")
		return part == name || all && (name == folder || strings.HasPrefix(name, folder+"/"))
	})
}

// TestImportDirections holds the table, and that every test package imports longtest, so that `go
// test ./... -long` is understood everywhere and property tests draw the same cases in every run.
func TestImportDirections(t *testing.T) {
	t.Chdir("../..")
	out := longtest.Must(
		exec.Command("go", "list", "-json=ImportPath,Imports,TestImports,XTestImports", "./...").Output(),
	)(t)
	rules := allowed()
	packages := json.NewDecoder(strings.NewReader(string(out)))
	for {
		var p struct {
			ImportPath                         string
			Imports, TestImports, XTestImports []string
		}
		if err := packages.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		room := strings.TrimPrefix(strings.TrimPrefix(p.ImportPath, "breadboard"), "/")
		rule, known := rules[room]
		if !known && strings.HasPrefix(room, "experiments/") {
			rule, known = rules["experiments/NAME"], true
		}
		if !known {
			t.Errorf("package %s is not in the table of allowed imports", p.ImportPath)
		}
		const flags = "breadboard/grid/longtest"
		if tests := slices.Concat(p.TestImports, p.XTestImports); len(tests) > 0 && p.ImportPath != flags &&
			!slices.Contains(tests, flags) {
			t.Errorf("no test of %s imports %s", p.ImportPath, flags)
		}
		for _, i := range p.Imports {
			if name, ours := strings.CutPrefix(i, "breadboard/"); ours &&
				!allows(rule+" chains/errs chains/work chains/frames", name) {
				t.Errorf("%s imports %s, which is against the direction of the data", p.ImportPath, i)
			}
			if strings.HasPrefix(room, "exact") && strings.HasPrefix(i, "math/rand") {
				t.Errorf("%s imports %s: there is no randomness in it", p.ImportPath, i)
			}
		}
	}
}

// TestThirdParty: the program lists every module that it is made of, in the version of go.mod, with
// its licence.
func TestThirdParty(t *testing.T) {
	t.Chdir("../..")
	text := string(longtest.Must(os.ReadFile("cmd/breadboard/THIRD_PARTY"))(t))
	const format = "{{with .Module}}{{if not .Main}}\n{{.Path}} {{.Version}} {{end}}{{end}}"
	out := longtest.Must(exec.Command("go", "list", "-deps", "-f", format, "./cmd/breadboard").Output())(t)
	for module := range strings.Lines(string(out)) {
		module = strings.TrimSuffix(module, "\n")
		if module != "" && !strings.Contains(text, "\n"+module) {
			t.Errorf("THIRD_PARTY has no line for %s: go run ./.ci/dist licences", module)
		}
	}
}
