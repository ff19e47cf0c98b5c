package main

import (
	"encoding/csv"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"breadboard/grid/longtest"
)

// TestSamplersErrors: what the command prints is what an independent program finds, to eleven digits.
func TestSamplersErrors(t *testing.T) {
	longtest.NotShort(t)
	t.Parallel()
	type values map[string]float64
	for _, c := range []struct {
		args string
		slow bool
		want []values // by row
	}{
		{args: "--toy random:0:0:2 --kernel metropolis --start target --function x0 -N 10,100,1e4", want: []values{
			{"ress_mean": 10, "ress_var": 10, "ress_cvm": 10, "ress_ks": 10, "eff": 1, "tau": 1, "work": 10},
			{"ress_mean": 100, "ress_var": 100, "ress_cvm": 100, "ress_ks": 100, "eff": 1, "tau": 1},
			{"ress_mean": 1e4, "ress_var": 1e4, "ress_cvm": 1e4, "ress_ks": 1e4, "eff": 1, "R_ks_paper": math.Pi * math.Pi / 12},
		}},
		{args: "--toy easy --kernel metropolis --start target --function x0 -N 1,10,100,1000,1e4", want: []values{
			{"mean": 2.2150267488984405, "sd": 2.1326555422525533, "kurtosis": 1.8373210880113717, "bias_mean": 0, "ress_mean": 1, "cvm": 0.18504995938680555, "ks2_lower": 0.24994804833491957, "ks2_upper": 1.1774789915658053},
			{"ress_mean": 1.0253150889197105, "ress_var": 1.1166138557428218, "ress_cvm": 1.0991151805695862, "bias_var": -0.9725666023240795, "R_var": 1.059543310233594, "R_cvm": 0.18504995938680555},
			{"ress_mean": 1.1748971461089024, "ress_var": 1.1115431476318853, "ress_cvm": 1.3790459453948367, "ks2_lower": 0.21621992639244567, "ks2_upper": 0.8774619655070808},
			{"ress_mean": 2.6037625193410343, "ress_var": 2.82354414183707, "ress_cvm": 3.210255166117855},
			{"ress_mean": 19.209878456309983, "ress_var": 39.500599360339734, "ress_cvm": 23.896259825229922, "mse_var": 0.021202744302008705, "R_var": 0.837521108013372},
		}},
		{args: "--toy easy --kernel heatbath-scan --start point:0 --function x0 -N 10,1e4", want: []values{
			{"bias_mean": -0.13908593934079821, "mse_mean": 0.26063742674157175, "ress_mean": 3.8367475174297354, "ress_var": 5.478369522386154, "ress_cvm": 4.596045774992599},
			{"bias_mean": -0.00013932177996886223, "ress_mean": 2774.8561182563467, "ress_var": 3213.668715637373, "ress_cvm": 3561.072334777788},
		}},
		{args: "--toy easy --kernel metropolis --start target --function x0 -N 5", want: []values{{"ks2": 0.3992702919505243, "R_ks": 0.4688305552421918, "ress_ks": 1.1742184797968567}}},
		{args: "--toy barrier --kernel metropolis --start uniform --function x0 -N 1,6,1e4", want: []values{
			{"bias_mean": 1.1893423197432198, "mse_mean": 3.4841398793089544, "mse_mean_stationary": 1, "ress_mean": 0.2870148830529561},
			{"ks2": 0.5192918160931033, "R_ks": 0.3705211897666419, "ress_ks": 0.7135124765767762},
			{"ress_mean": 0.29028588303954383, "ress_var": 10.689507057729013, "ress_cvm": 0.8020272054252314, "mse_mean_stationary": 0.6502807347173483, "ress_of_constant": 4.6699515992972},
		}},
		{args: "--toy barrier --kernel metropolis --start uniform,target --function mode -N 100", want: []values{
			{"bias_mean": -1.8483094994620188, "ress_mean": 0.19781608083955024, "ress_var": 4.973784032230182, "ress_cvm": 0.19781608083955024},
			{"ks2": 0.11305984068051184, "R_ks": 0.11306593192547985, "ress_ks": 1.0000538762918059},
		}},
		{args: "--toy barrier --kernel heatbath --start uniform --function x0 -N 100", want: []values{
			{"bias_mean": 0.047416727527479975, "ress_mean": 20.713589971264504, "ress_var": 23.3220675085088, "ress_cvm": 27.569505222155346, "work": 595},
		}},
		{args: "--toy hard --kernel metropolis --start uniform --function x0 -N 1,10,100,1000,1e4", want: []values{
			{"ress_mean": 0.47141324942727947}, {"ress_mean": 0.4801477270822176, "ress_var": 1.2908557274188195}, {"ress_mean": 0.44390279115845527},
			{"ress_mean": 0.34849102913641444}, {"ress_mean": 0.31782557866735717, "ress_var": 0.9646920454973522, "ress_cvm": 0.38443273398787253},
		}},
		{args: "--toy hard --kernel jump:0.05 --start uniform --function g -N 10,1e4 --method squaring", want: []values{
			{"ress_mean": 0.0025049316301193154, "ress_var": 0.0020735357927476597}, {"ress_mean": 8.46970300518161, "ress_var": 3.403596762169927, "ress_cvm": 9.724227145908712},
		}},
		{args: "--toy ising:4x4:0.4 --kernel metropolis --start target --function x0,sum,g --estimate mean -N 1000", slow: true, want: []values{
			{"ress_mean": 9.367273982919034, "tau": 123.01463267519024}, {"ress_mean": 3.0879821652450725, "tau": 407.2792159085387}, {"ress_mean": 10.891267447160788, "tau": 97.35622948730962},
		}},
	} {
		if c.slow && !longtest.Enabled() {
			continue
		}
		rows := rowsOf(t, append([]string{"samplers", "errors"}, strings.Fields(c.args)...)...)
		if len(rows) != len(c.want) {
			t.Fatalf("%s: %d rows", c.args, len(rows))
		}
		for i, want := range c.want {
			for field, v := range want {
				if got, is := rows[i][field].(float64); !is || !(math.Abs(got-v) <= 1e-11*max(1e-3, math.Abs(v))) {
					t.Errorf("%s, N = %v: %s is %v, want %v", c.args, rows[i]["N"], field, rows[i][field], v)
				}
			}
		}
	}
}

// TestSamplersErrorsDefaults: the table for people is no wider than about 120 characters, and has the targets of the paper.
func TestSamplersErrorsDefaults(t *testing.T) {
	longtest.NotShort(t)
	stdout, stderr := ok(t, "samplers", "errors")
	lines := strings.Split(strings.TrimSpace(stdout), "\n")
	if len(lines) != 2+3*2*2*5 {
		t.Errorf("%d lines", len(lines))
	}
	for _, line := range lines {
		if n := len([]rune(line)); n > 124 {
			t.Errorf("%d characters: %s", n, line)
		}
	}
	if strings.Count(stderr, "N = 1: a single sample has no variance") != 1 {
		t.Error(stderr)
	}
}

// TestSamplersErrorsLong: RESS = N/tau in the end, at most eleven digits from it at 1e12 samples.
func TestSamplersErrorsLong(t *testing.T) {
	longtest.NotShort(t)
	for _, r := range rowsOf(t, "samplers", "errors", "--toy", "easy", "--kernel", "metropolis,heatbath", "-N", "1e12") {
		if got := 1e12 / r["ress_mean"].(float64) / r["tau"].(float64); math.Abs(got-1) > 1e-9 || r["method"] != "squaring" {
			t.Errorf("%v: N/RESS is tau times %v, by %v", r["kernel"], got, r["method"])
		}
	}
}

// TestSamplersTimes: the times of an independent program, and those of a chain that never forgets.
func TestSamplersTimes(t *testing.T) {
	want := map[string][2]float64{"easy": {627, 563}, "hard": {10231690122, 18286009869}, "barrier": {1329588, 2931593}}
	rows := rowsOf(t, "samplers", "times", "--kernel", "metropolis")
	if len(rows) != len(want) {
		t.Fatalf("%d rows", len(rows))
	}
	for _, r := range rows {
		if w := want[r["toy"].(string)]; r["mixing_mi"] != w[0] || r["burn_in_tv"] != w[1] || r["start"] != "uniform" || r["kernel"] != "metropolis" {
			t.Errorf("%v, want %v", r, w)
		}
	}
	path := filepath.Join(t.TempDir(), "g.csv")
	writeFile(t, path, "0,-inf,1\n")
	r := rowsOf(t, "samplers", "times", "--toy", "file:"+path, "--kernel", "metropolis", "--start", "point:0")[0]
	if r["mixing_mi"] != "+Inf" || r["burn_in_tv"] != "+Inf" || !strings.Contains(r["note"].(string), "2 classes") {
		t.Errorf("%v", r)
	}
}

// TestSamplersFigures: both studies draw their figures where there is something to draw.
func TestSamplersFigures(t *testing.T) {
	t.Parallel()
	longtest.NotShort(t)
	dir := t.TempDir()
	ok(t, "samplers", "errors", "--toy", "barrier:3x3", "--kernel", "barker", "-N", "1,10", "--function", "x0,x0<=1", "--out", dir)
	hasParts(t, dir, ".txt", "barrier-3x3_x0.svg", "barrier-3x3_x0--1.pdf")
	ok(t, "samplers", "times", "--toy", "barrier:3x3", "--kernel", "barker", "--out", dir)
	hasParts(t, dir, ".txt", "barrier-3x3.png")
	one := t.TempDir() // a single number of samples is drawn too
	ok(t, "samplers", "errors", "--toy", "easy", "-N", "5", "--out", one)
	hasParts(t, one, ".txt", "easy_x0.svg")
}

// TestSamplersNotMistakes: what has no number is said in the row, and the others stand.
func TestSamplersNotMistakes(t *testing.T) {
	path := filepath.Join(t.TempDir(), "g.csv")
	writeFile(t, path, "0,-inf,1\n")
	r := rowsOf(t, "samplers", "errors", "--toy", "file:"+path, "--kernel", "metropolis", "--start", "uniform", "--function", "x0", "-N", "1")[0]
	if r["tau"] != "NaN" || r["mse_var"] != "NaN" || r["ress_mean"].(float64) <= 0 {
		t.Errorf("%v", r)
	}
	for _, want := range []string{"there are 2: state 2 of probability 0.7311; state 0 of probability 0.2689", "a single sample has no variance"} {
		if !strings.Contains(r["note"].(string), want) {
			t.Errorf("note %v", r["note"])
		}
	}
	matrix := filepath.Join(t.TempDir(), "k.csv")
	writeFile(t, matrix, "0.5000000000000000,0.5000000000000000\n0.5000000000000000,0.5000000000000000\n")
	stdout, stderr := ok(t, "samplers", "errors", "--toy", "random:0:0:2", "--kernel", "matrix:"+matrix, "--start", "target", "-N", "10", "--format", "csv")
	lines := longtest.Must(csv.NewReader(strings.NewReader(stdout)).ReadAll())(t)
	for i, name := range lines[0] {
		if (name == "work" || name == "work_per_ress") && lines[1][i] != "" {
			t.Errorf("%s is %s for a kernel that does not say", name, lines[1][i])
		}
	}
	if !strings.Contains(stderr, "it does not say how often a move asks for log f") {
		t.Error(stderr)
	}
}
