package files

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"breadboard/chains/tables"
)

// TestTraces: tables as their producers write them. The names of the variables, and their values by
// variable and chain.
func TestTraces(t *testing.T) {
	for _, c := range []struct{ by, text, want string }{
		{"MrBayes", "[ID: 7]\nGen\tLnL\n0\t-8.2\n100\t-7.6\n", "[LnL] [[[-8.2 -7.6]]]"},
		{"BEAST 2", "# <beast>\n#\nSample\tposterior\tkappa\t\n0\t-4\t1\t\n10\t-5\t2\t\n", "[posterior kappa] [[[-4 -5]] [[1 2]]]"},
		{"RevBayes", "Iteration\tpi\n0\t[0.1,0.9]\n10\t[ 0.2, 0.8 ]\n", "[pi[1] pi[2]] [[[0.1 0.2]] [[0.9 0.8]]]"},
		{"PhyloBayes", "#treegen\tloglik\talpha\n1\t-9\t1\n2\t-8\t2\n", "[loglik alpha] [[[-9 -8]] [[1 2]]]"},
		{"BayesTraits", "Options:\nTrees:    a.trees\nTree\tInformation\n\nIteration\tLh\tqDA\t\n10\t-4\t1\t\n20\t-5\t2\t\n", "[Lh qDA] [[[-4 -5]] [[1 2]]]"},
		{"BAMM", "generation,N_shifts,logLik\n0,1,-4\n1000,2,-5\n", "[N_shifts logLik] [[[1 2]] [[-4 -5]]]"},
		{"MontePython", "1  21.1\t1.5\t2\n# update\n2  20.7\t2.5\t3\n", "[V1 V2 V3 V4] [[[1 2]] [[21.1 20.7]] [[1.5 2.5]] [[2 3]]]"},
		{"GNU MCSim", "iter\tm\tLnPosterior\n0\t.1D+01\t-4\n1\t0.2d1\t-5\n", "[m LnPosterior] [[[1 2]] [[-4 -5]]]"},
		{"PyStan", "chain,draw,warmup,a\n0,-1,1,9\n0,0,0,1\n1,-1,1,9\n1,0,0,2\n", "[a] [[[1] [2]]]"},
		{"JAGS", "phase,a\nburnin,9\nsampling,1\nsampling,2\n", "[a] [[[1 2]]]"},
		{"tidybayes", "plot,rate,.chain,.iteration,.draw\nn,1,1,1,1\nn,2,1,2,2\nn,3,2,1,3\nn,4,2,2,4\ns,5,1,1,1\ns,6,1,2,2\ns,7,2,1,3\ns,8,2,2,4\n",
			"[rate[n] rate[s]] [[[1 2] [3 4]] [[5 6] [7 8]]]"},
		{"gather_draws", ".chain,.iteration,.draw,.variable,.value\n1,1,1,mu,1\n1,2,2,mu,2\n1,1,1,sd,3\n1,2,2,sd,4\n", "[mu sd] [[[1 2]] [[3 4]]]"},
		{"ggmcmc", "Iteration,Chain,Parameter,value\n1,1,mu,1\n2,1,mu,2\n1,2,mu,3\n2,2,mu,4\n", "[mu] [[[1 2] [3 4]]]"},
		{"xarray", "chain,draw,mu,dim,x\n0,0,5,0,1\n0,0,5,1,2\n0,1,6,0,3\n0,1,6,1,4\n", "[mu x[0] x[1]] [[[5 6]] [[1 3]] [[2 4]]]"},
		{"reshape", "variable,value\nmu,1\nmu,2\nsd,3\nsd,4\n", "[mu sd] [[[1 2]] [[3 4]]]"},
		{"a variable", "phase,a\n0.5,1\n1.5,2\n", "[phase a] [[[0.5 1.5]] [[1 2]]]"},
		{"a variable", "state,a\n3,1\n1,2\n", "[state a] [[[3 1]] [[1 2]]]"},
		{"names of rows", "id,a\nu,1\nv,2\nw,3\nx,4\n", "[a] [[[1 2 3 4]]]"},
		{"a variable", "draw,x\n0.7,1\n-0.3,2\n", "[draw x] [[[0.7 -0.3]] [[1 2]]]"},
		{"names like numbers", "Iteration,Parameter,value\n1,Na,1\n1,1e5,3\n1,NA,5\n2,Na,2\n2,1e5,4\n2,NA,6\n", "[Na 1e5 NA] [[[1 2]] [[3 4]] [[5 6]]]"},
		{"MrBayes' diagnostics", "[ID: 7]\n[   Gen -- Generation]\nGen\tacc\talpha\n5000\tNA\t1\n10000\t0.5\t2\n", "[acc alpha] [[[NaN 0.5]] [[1 2]]]"},
		{"MATLAB", "% made by hand\na,b\n1,2\n", "[a b] [[[1]] [[2]]]"},
	} {
		d, err := readDraws(written(t, map[string]string{"a.log": c.text}), DrawsOptions{Most: 100}, "a.log")
		if got := ""; err != nil {
			t.Errorf("%s: %v", c.by, err)
		} else if got = fmt.Sprint(d.Names, d.Values); got != c.want {
			t.Errorf("%s: %s, want %s", c.by, got, c.want)
		}
	}
}

// TestDoubtfulTraces: what can be read in two ways, and what only looks like a number, is refused
// with its line or with both readings.
func TestDoubtfulTraces(t *testing.T) {
	for text, want := range map[string]string{
		"iteration,a\n1,2\n2,3\n1,4\n2,5\n":       ".csv: found 2 rows with iteration 1;",
		"iteration,a,b\n1,2,3\n1,3,4\n2,4,3\n":    "1 row with iteration 2;",
		"11 1\n12 2\n13 3\n11 4\n12 5\n13 6\n":    "a chain of coda with 2 variables of 3 draws",
		"a\n57%\n":                                `line 2 (row 0), column a: found "57%"`,
		"#NEXUS\nbegin trees;\n":                  "trees in NEXUS, or another of its blocks; give the parameters of the same run",
		"a\n1\n1_000\n":                           `line 3 (row 1), column a: found "1_000"`,
		"a\n\u22121.5\n":                          "line 2 (row 0), column a: found \"\u22121.5\", with the minus of print, where numbers have the hyphen -",
		"a,b\n\"1,000\",1\n":                      "line 2 (row 0), column a: found \"1,000\"; write decimals with a point, and thousands without a comma, or give decimal comma",
		"a\n'1.5'\n":                              "line 2 (row 0), column a: found \"'1.5'\"",
		"a\n1.5 # ok\n":                           "line 2 (row 0), column a",
		"a,b\n1,\"[0.1,x]\"\n":                    "line 2 (row 0), column b",
		"a\nhigh\n1.85\n":                         `found "1.85", and a label above it, such as "high"`,
		"Iteration\tp\n1\t[1,2]\n2\t[1,2,3]\n":    "line 3 (row 1), column p: found \"[1,2,3]\"; write 2 numbers",
		"a;b\n1,5;2\n":                            "give decimal comma",
		"warmup,a\n0,1\n1,2\nx,3\n":               "",
		"chain,draw,warmup,a\n1,1,1,2\n1,2,1,3\n": "no draw behind the warm-up",
	} {
		_, err := readDraws(written(t, map[string]string{"a.csv": text}), DrawsOptions{Most: 100}, "a.csv")
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

// TestWarmup: a number or a share of draws is left out of each chain, and longer chains are cut.
func TestWarmup(t *testing.T) {
	dir := written(t, map[string]string{"a.p": "Gen\ta\n0\t1\n100\t2\n200\t3\n300\t4\n", "b.p": "Gen\ta\n0\t5\n100\t6\n200\t7\n"})
	for text, want := range map[string]string{"0": "[[[1 2 3] [5 6 7]]]", "1": "[[[2 3] [6 7]]]", "50%": "[[[3 4] [6 7]]]",
		"3": "b.p: found 3 draws; warmup counts draws and must leave some; if 3 is a number of Gen, give warmup 1, or 33.33%", "200": "a.p: found 4 draws; warmup counts draws and must leave some; if 200 is a number of Gen, give warmup 2, or 50%",
		"100%": "no share", "-1": "-1", "x%": "no share", "0.25": "write a share of a chain as 25%"} {
		w, err := ParseWarmup(text)
		var d *Draws
		if err == nil {
			d, err = readDraws(dir, DrawsOptions{Most: 100, Warmup: w}, "a.p", "b.p")
		}
		if got := fmt.Sprint(err); err == nil {
			if got = fmt.Sprint(d.Values); got != want || len(d.Notes) < 2 {
				t.Errorf("%s: %s, %q, want %s", text, got, d.Notes, want)
			}
		} else if !strings.Contains(got, want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}

// TestPoints: draws with weights that are no whole numbers stay rows with weights.
func TestPoints(t *testing.T) {
	for _, role := range []tables.Role{tables.Weight, tables.LogWeight} {
		d, err := readDraws(written(t, map[string]string{"a.csv": "u,a\n0.5,1\n1.5,2\n"}), DrawsOptions{Most: 100, Roles: Roles{"u": role}}, "a.csv")
		if err != nil || fmt.Sprint(d.Names, d.Values) != "[a] [[[1 2]]]" || len(d.Weights) != 1 || d.Weights[0][0] >= d.Weights[0][1] {
			t.Errorf("%s: %+v, %v", role, d, err)
		}
	}
	d, err := readDraws(written(t, map[string]string{"a.csv": "u,a\n2,1\n1,2\n"}), DrawsOptions{Most: 100, Roles: Roles{"u": tables.Weight}}, "a.csv")
	if err != nil || fmt.Sprint(d.Values) != "[[[1 1 2]]]" || d.Weights != nil {
		t.Errorf("%+v, %v", d, err)
	}
}

// TestLongTables: draws written as a long table, in whatever order of the rows, are read as those
// of a wide one.
func TestLongTables(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		chains, draws, width := rapid.IntRange(1, 3).Draw(t, "chains"), rapid.IntRange(2, 4).Draw(t, "draws"), rapid.IntRange(2, 3).Draw(t, "width")
		named, random := rapid.Bool().Draw(t, "named"), rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		long, wide := ".chain,.iteration,site,mu,x\n", ".chain,.iteration,mu"
		if named {
			long, wide = "Chain,Iteration,Parameter,value\n", "Chain,Iteration"
		}
		for i := range width {
			wide += fmt.Sprintf(",x[s%d]", i)
		}
		wide += "\n"
		blocks := make([][]string, width) // the rows of each variable
		for c := range chains {
			for d := range draws {
				mu := random.Float64()
				wide += fmt.Sprintf("%d,%d", c, d)
				if !named {
					wide += fmt.Sprintf(",%v", mu)
				}
				for i := range width {
					x := random.Float64()
					wide += fmt.Sprintf(",%v", x)
					row := fmt.Sprintf("%d,%d,s%d,%v,%v\n", c, d, i, mu, x)
					if named {
						row = fmt.Sprintf("%d,%d,x[s%d],%v\n", c, d, i, x)
					}
					blocks[i] = append(blocks[i], row)
				}
				wide += "\n"
			}
		}
		if rapid.Bool().Draw(t, "by variable") {
			long += strings.Join(slices.Concat(blocks...), "")
		} else {
			for row := range blocks[0] {
				for i := range blocks {
					long += blocks[i][row]
				}
			}
		}
		var got []string
		for _, text := range []string{long, wide} {
			r := &reading{DrawsOptions: DrawsOptions{Most: 1000}}
			rows, err := newRows(t.Context(), "a", &lines{in: strings.NewReader(text)}, r.header, DrawsOptions{})
			if err == nil {
				err = r.rows(t.Context(), rows)
			}
			var d *Draws
			if err == nil {
				d, err = r.done()
			}
			if err != nil {
				t.Fatalf("%q: %v", text, err)
			}
			got = append(got, fmt.Sprint(d.Names, d.Values))
		}
		if got[0] != got[1] {
			t.Fatalf("%q\nis %s,\nwant %s", long, got[0], got[1])
		}
	})
}

// TestMutatedTables: what editors and other systems change in a table does not change what is read,
// and what is wrong is refused with its line.
func TestMutatedTables(t *testing.T) {
	read := func(text string) (string, error) {
		d, err := readDraws(written(t, map[string]string{"a.csv": text}), DrawsOptions{Most: 100}, "a.csv")
		if err != nil {
			return "", err
		}
		return fmt.Sprint(d.Names, d.Values), nil
	}
	for _, text := range []string{
		"chain,draw,plot,rate\n0,0,n,1.5\n0,0,s,8\n0,1,n,2\n0,1,s,9\n", ".chain,.iteration,warmup,a\n1,1,1,7\n1,2,0,1.5\n1,3,0,2\n",
		"Gen,LnL\n0,-8.2\n100,-7\n", "Iteration,Parameter,value\n1,mu,1.5\n2,mu,2\n",
	} {
		want, err := read(text)
		if err != nil {
			t.Fatal(err)
		}
		rows := strings.SplitAfter(text, "\n")
		quotes := `"` + strings.NewReplacer(",", `","`, "\n", "\"\n\"").Replace(text)
		for _, same := range []string{strings.ReplaceAll(text, "\n", "\r\n"), "\ufeff" + text, strings.ReplaceAll(text, "\n", "  \n"), strings.ReplaceAll(text, ",", " , "),
			strings.ReplaceAll(text, ",", "\t"), strings.ReplaceAll(text, ",", ";"), strings.ReplaceAll(text, ",", " "), "# made by hand\n" + text, text + "\n\n",
			rows[0] + "# between\n" + strings.Join(rows[1:], ""), strings.TrimSuffix(quotes, `"`), strings.TrimSuffix(text, "\n")} {
			if got, err := read(same); got != want {
				t.Errorf("%q: %s, %v, want %s", same, got, err, want)
			}
		}
		last := rows[len(rows)-2]
		value := last[strings.LastIndexByte(last, ',')+1 : len(last)-1]
		for _, wrong := range []string{text + rows[0], text + "1\n", text + strings.Replace(last, value, "", 1), text + strings.Replace(last, value, "57%", 1),
			text + strings.Replace(last, value, "1,5", 1)} {
			if got, err := read(wrong); err == nil || !strings.Contains(err.Error(), "line") {
				t.Errorf("%q: %s, %v", wrong, got, err)
			}
		}
	}
}
