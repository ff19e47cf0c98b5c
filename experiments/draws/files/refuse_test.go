package files

import (
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"breadboard/experiments/draws"
)

const (
	usable7 = "log_w, x_first, x_last, x_1 to x_3, increment_2 to increment_3, log_z, se, or beta, from " +
		"and to together"
	dtypes   = "write float64, float32 or whole numbers of 8 to 64 bits, as astype(float) and astype(int) make them"
	stanHead = "# stan_version_major = 2\n# method = sample\n#   num_samples = 2\n#   num_warmup = 2\n#   " +
		"save_warmup = 1\n"
)

// TestRefused: what is wrong, where, and what to write, for every kind of mistake.
func TestRefused(t *testing.T) {
	for _, c := range []struct {
		kind, name, content, role string
		want                      string // the message without the path
	}{
		{"chains", "a.csv", "", "", ": found no data: it is empty; write at least one row of values"},
		{"chains", "a.csv", "\ufeff", "", ": found no rows; write at least one row of values"},
		{"chains", "a.csv", "\x93NUMPY\x01", "",
			": found the format NumPy's .npy; give it a name that ends in .npy"},
		{"chains", "a.csv", "PK\x03\x04 ",
			"", ": found the format zip, such as of .xlsx; unpack it, or for .xlsx convert it with pandas, as in python3 -c \"import pandas; pandas.read_excel('a.csv').to_csv('a.csv.csv', index=False)\""},
		{"chains", "a.csv", "\xff\xfel\x00o\x00g\x00", "", ": found the format UTF-16; save it as UTF-8, as by iconv -f UTF-16 -t UTF-8 a.csv >NEW"},
		{"chains", "a.csv", "\x7fELF\x00\x01\xff\n", "",
			", line 1: found bytes that are not UTF-8 text, \"\\x7fELF\\x00\\x01\\xff\"; write a line " +
				"with the names of the columns, and then the rows"},
		{"chains", "a.csv", "log_w\r1\r2\r", "",
			", line 1: found lines that end in a carriage return alone; end them with a line feed"},
		{"chains", "a.nc", "CDF\x01", "",
			": found the format netCDF, which is not read; diagnose it in Python: import arviz, breadboard; " +
				"breadboard.diagnose(arviz.from_netcdf(\"a.nc\"))"},
		{"chains", "a.csv", "a,b\n1,2\n", "",
			", line 1: found the columns a, b, of which nothing says what it is; give column a=ROLE, where ROLE is " +
				usable7 + ", chain, iteration and draw, or none, which leaves it out"},
		{"chains", "a.csv", "log_w,\n1,2\n", "",
			", line 1: found no name of column 2; write it in the first line, or take the column away"},
		{"chains", "a.csv", "log_w,#\n1,2\n", "",
			", line 1: found the column #, of which nothing says what it is; give column #=ROLE, where ROLE is " +
				usable7 + ", chain, iteration and draw, or none, which leaves it out"},
		{"chains", "a.csv", "chain,draw\n1,2\n", "",
			", line 1: found no column of samples among \"chain, draw\"; name at least one of " + usable7},
		{"chains", "a.csv", "log_w,log_w\n1,2\n", "", ", line 1: found two columns log_w; keep one of them"},
		{"chains", "a.csv", "x_first_0\n1\n", "",
			", line 1: found 1 of the 2 coordinates of x_first; write x_first_0 to x_first_1, slowest axis first"},
		{"chains", "a.csv", "x_first,x_first_0,x_first_1\n1,2,3\n", "",
			", line 1: found the columns x_first and x_first_0; keep one of them: they mean the same state"},
		{"chains", "a.csv", "x_first_1,x_first_2\n1,1\n", "",
			", line 1: found the column x_first_2; write the coordinates of the axes 0 to 1 of this " +
				"space, slowest axis first"},
		{"chains", "a.csv", "LogV,x_last\n1,2\n", "",
			", line 1: found the column LogV, of which nothing says what it is; give column LogV=ROLE, where ROLE is " +
				usable7 + ", chain, iteration and draw, or none, which leaves it out"},
		{"chains", "a.csv", "lw,x_last\n1,2\n",
			"lw=log_ww", ", line 1: found the role log_ww of the column lw; write a ROLE that is " + usable7 +
				", chain, iteration and draw, or none, which leaves the column out"},
		{"chains", "a.csv", "lw,x_last\n1,2\n", "wl=log_w",
			", line 1: found no column wl; column names one of lw, x_last"},
		{"chains", "a.csv", "x_0,x_1,x_2\n1,2,3\n", "",
			", line 1: found the column x_0; name the states of a path x_1 to x_3, since T = 3"},
		{"chains", "a.csv", "x_1,x_2\n1,2\n", "",
			", line 1: found x_1 and no column x_3; write all of x_1 to x_3, or none of them"},
		{"chains", "a.csv", "increment_1,increment_2\n1,2\n", "",
			", line 1: found the column increment_1; name the increments by their stages, increment_2 to " +
				"increment_3, since T = 3"},
		{"chains", "a.csv", "beta,from\n1,2\n",
			"", ", line 1: found no column to; write beta, from and to together, or none of them"},
		{"chains", "a.csv", "path,x_1,x_2,x_3\n1;2;3,1,2,3\n", "",
			", line 1: found the path twice, as path and as columns of its states; keep one of them"},
		{"chains", "a.csv", "1,2\n", "",
			", line 1: found a line of values, 1, 2, and no names above it; write one row a line, and a " +
				"first line with the names of the columns (breadboard help files)"},
		{"chains", "a.csv", "x_last,x_first\n48,49\n", "",
			", line 2 (row 1), column x_first: found 49; write a state from 0 to 48; states are numbered " +
				"from 0: do you count from 1?"},
		{"chains", "a.csv", "x_last,x_first\n0,49\n", "",
			", line 2 (row 1), column x_first: found 49; write a state from 0 to 48"},
		{"chains", "a.csv", "x_first\n-1\n", "",
			", line 2 (row 1), column x_first: found -1; write a state from 0 to 48; states are numbered " +
				"from 0, so no state is negative"},
		{"chains", "a.csv", "x_first\n1\n2\n3.5\n", "",
			", line 4 (row 3), column x_first: found \"3.5\"; write a state from 0 to 48, or its " +
				"coordinates as in 0;0"},
		{"chains", "a.csv", "x_first\ntrue\n", "",
			", line 2 (row 1), column x_first: found \"true\"; write a state from 0 to 48, or its " +
				"coordinates as in 0;0"},
		{"chains", "a.csv", "x_first,log_w\n3;7,1\n", "",
			", line 2 (row 1), column x_first: found the coordinate 7 on axis 1; write a coordinate from " +
				"0 to 6 there; states are numbered from 0: do you count from 1?"},
		{"chains", "a.csv", "x_first,log_w\n3;;4,1\n", "",
			", line 2 (row 1), column x_first: found 3 coordinates; write 2 coordinates, or a state from 0 to 48"},
		{"chains", "a.csv", "x_first,log_w\n3;4;5,1\n", "",
			", line 2 (row 1), column x_first: found 3 coordinates; write 2 coordinates, or a state from 0 to 48"},
		{"chains", "a.csv", "x_first_0,x_first_1\n\"1 2\",0\n", "",
			", line 2 (row 1), column x_first_0: found 2 numbers; write one number, a coordinate from 0 to 6"},
		{"chains", "a.csv", "x_first,log_w\n(3, 4),1\n", "",
			", line 2 (row 1): found 3 cells; write 2 in every row, one for each column; a name before " +
				"each row needs a heading too, as by write.csv in R"},
		{"chains", "a.csv", "log_w\nnan\n", "",
			", line 2 (row 1), column log_w: found nan; write a number, -inf or inf"},
		{"chains", "a.csv", "log_w\n1e999\n", "",
			", line 2 (row 1), column log_w: found \"1e999\"; write a number, -inf or inf"},
		{"chains", "a.csv", "x_last,log_w\n3,\n",
			"", ", line 2 (row 1), column log_w: found an empty cell; write a number, -inf or inf"},
		{"chains", "a.csv", "log_w;x_last\n-1,5;3\n", "",
			", line 2 (row 1), column log_w: found \"-1,5\"; write decimals with a point, and thousands " +
				"without a comma"},
		{"chains", "a.csv", "beta,from,to\n1.5,3,4\n", "",
			", line 2 (row 1), column beta: found 1.5; write an inverse temperature from 0 to 1"},
		{"chains", "a.csv", "log_w,x_last\n1,2\n\n\n1,2\n", "",
			", line 3 (row 2): found an empty line between rows; leave it out"},
		{"chains", "a.csv", "log_w,x_last\n1,2\n1\n", "",
			", line 3 (row 2): found 1 cell; write 2 in every row, one for each column"},
		{"chains", "a.csv", "log_w,x_last\n7,1,2\n", "",
			", line 2 (row 1): found 3 cells; write 2 in every row, one for each column; a name before " +
				"each row needs a heading too, as by write.csv in R"},
		{"chains", "a.csv", "log_w,x_last\n1,2\nlog_w,x_last\n",
			"", ", line 3 (row 2): found the header again; give every chain as a file of its own"},
		{"chains", "a.csv", "log_w,x_last\n1,\"a\"b\n", "",
			", line 2 (row 1): found a cell that continues after its closing quotation mark, " +
				"\"\\\"a\\\"b\"; double quotation marks inside a cell"},
		{"chains", "a.csv", "log_w,x_last\n1,\"a\n", "",
			", line 2 (row 1): found a cell without its closing quotation mark, \"\\\"a\"; close it on the same line"},
		{"chains", "a.csv", "x_1,x_2,x_3,x_last\n1,2,3,4\n", "",
			", line 2 (row 1), column x_last: found 4, but x_3 is 3; write the same state in both, or " +
				"delete one of the columns"},
		{"chains", "a.csv", "path,log_w\n1 2,2\n", "",
			", line 2 (row 1), column path: found a path of 2 numbers; write 3 states, x_1 to x_3, since " +
				"T = 3, or the coordinates of each"},
		{"chains", "a.json", "", "", ": found no data: it is empty; write at least one row of values"},
		{"chains", "a.json", " \n\t\n", "",
			": found no data: it has only blanks; write at least one object, as in {\"log_w\": -1.5, " +
				"\"x_first\": 3, \"x_last\": 7}"},
		{"chains", "a.json", "{\n", "",
			", line 1: found text that is not an object in JSON from byte 2 on, \"\"; write an object for " +
				"each row, as in {\"log_w\": -1.5, \"x_first\": 3, \"x_last\": 7}"},
		{"chains", "a.json", "log_w\n", "",
			", line 1: found text that is not an object in JSON from byte 1 on, \"log_w\"; write an " +
				"object for each row, as in {\"log_w\": -1.5, \"x_first\": 3, \"x_last\": 7}"},
		{"chains", "a.json", `{"log_w": 1},` + "\n", "",
			", line 1 (row 1): found text that is not an object in JSON from byte 13 on, \",\"; write an " +
				"object for each row, as in {\"log_w\": -1.5, \"x_first\": 3, \"x_last\": 7}"},
		{"chains", "a.json", `[{"log_w": 1} {"log_w": 2}]` + "\n", "",
			", line 1 (row 2): found text that is not an object in JSON from byte 15 on, " +
				"\"{\\\"log_w\\\": 2}]\\n\"; write an object for each row, as in {\"log_w\": -1.5, " +
				"\"x_first\": 3, \"x_last\": 7}"},
		{"chains", "a.json", `[{"log_w": 1}, {"log_w": 2}` + "\n", "",
			", line 1 (row 3): found text that is not an object in JSON from byte 29 on, \"\"; write an " +
				"object for each row, as in {\"log_w\": -1.5, \"x_first\": 3, \"x_last\": 7}"},
		{"chains", "a.json", `{}` + "\n",
			"", ", line 1: found an object without names; write an object for each row, as in {\"log_w\": " +
				"-1.5, \"x_first\": 3, \"x_last\": 7}"},
		{"chains", "a.json", "\x00" + `{"log_w": 1}` + "\n", "",
			", line 1: found text that is not an object in JSON from byte 1 on, \"\\x00{\\\"log_w\\\": 1}\"; " +
				"write an object for each row, as in {\"log_w\": -1.5, \"x_first\": 3, \"x_last\": 7}"},
		{"chains", "a.json", `{"log_w": 1, "log_w": 2}` + "\n",
			"", ", line 1, column log_w: found the name twice in an object; keep one of them"},
		{"chains", "a.json", `{"log_w": 1}` + "\n" + `{}` + "\n", "",
			", line 2 (row 2), column log_w: found an object without it; write the same names in every object"},
		{"chains", "a.json", `{"log_w": 1}` + "\n" + `{"log_w": 1, "x_last": 3}` + "\n", "",
			", line 2 (row 2), column x_last: found a name that is not in the first object; write the " +
				"same names in every object"},
		{"chains", "a.json", `{"log_w": null}` + "\n", "",
			", line 1 (row 1), column log_w: found NA, a missing value; write a number, -inf or inf"},
		{"chains", "a.json", `{"x_last": {"a": 1}}` + "\n", "",
			", line 1, column x_last: found an object within an object; write a number, a text or a list"},
		{"chains", "a.json", `{"x_last": [6, 7]}` + "\n", "",
			", line 1 (row 1), column x_last: found the coordinate 7 on axis 1; write a coordinate from 0 " +
				"to 6 there; states are numbered from 0: do you count from 1?"},
		{"chains", "a.json", `{"path": [3, 4]}` + "\n", "",
			", line 1 (row 1), column path: found a path of 2 numbers; write 3 states, x_1 to x_3, since " +
				"T = 3, or the coordinates of each"},
		{"chains", "a.npy", "", "", ": found nothing: it is empty; write it with numpy.save"},
		{"chains", "a.npy", "log_w\n1\n2\n", "",
			": found no .npy file: it begins with \"log_w\\n1\\n\"; write it with numpy.save"},
		{"chains", "a.npy", npyFile("<f8", "False", "(1,)"), "",
			": found a .npy header that is damaged: at byte 10 there should be a value; write the file " +
				"again with numpy.save"},
		{"chains", "a.npy", npyFile("'<f8'", "False", "(1099511627776,)", doubles(1, 2, 3)...), "",
			": found a damaged array: the header states an array of shape [1099511627776], and the file " +
				"has 24 bytes of it; write the file again with numpy.save"},
		{"chains", "a.npy", npyFile("'<f8'", "False", "(1,)", doubles(1, 2, 3)...), "",
			": found a damaged array: the header states 1 numbers in 8 bytes, and the file has 24; write " +
				"the file again with numpy.save"},
		{"chains", "a.npy", npyFile("'<f8'", "False", "(0,)"), "",
			": found an array of shape (0,), which has no numbers; write one with numbers"},
		{"chains", "a.npy", npyFile("'<f8'", "False", "(3,)", doubles(1, 2, 3)...),
			"", ": found 1 column without names; name them " + usable7 +
				", as by numpy.savez(PATH, log_w=...), or in a first line"},
		{"chains", "a.npy", npyFile("'<f8'", "False", "(1, 2, 3)", doubles(1, 2, 3, 4, 5, 6)...), "",
			": found an array of shape (1, 2, 3); write one with a row for each row, a structured array, " +
				"or .npz with an array for each column"},
		{"chains", "a.npy", npyFile("[('log_w', '|O')]", "False", "(2,)", 1, 2),
			"", ", column log_w: found Python objects, dtype |O; " + dtypes},
		{"chains", "a.npy", npyFile("[('a', '<f8')]", "False", "(1,)", doubles(1)...), "",
			": found the column a, of which nothing says what it is; give column a=ROLE, where ROLE is " +
				usable7 + ", chain, iteration and draw, or none, which leaves it out"},
		{"chains", "a.npy", npyFile("[('log_w', '<f8')]", "False", "(1, 1)", doubles(1)...), "",
			": found a structured array of shape (1, 1) in 8 bytes; write one of one dimension, an " +
				"element for each row, with numpy.save"},
		{"chains", "a.npy", npyFile("[('log_w', '<f8')]", "False", "(2,)", doubles(1)...), "",
			": found a structured array of shape (2,) in 8 bytes; write one of one dimension, an element " +
				"for each row, with numpy.save"},
		{"chains", "a.npy", npyFile("[('log_w', '<f8', (2,))]", "False", "(1,)", doubles(1, 2)...), "",
			", row 1, column log_w: found \"1;2\"; write a number, -inf or inf"},
		{"chains", "a.npy", npyFile("[('x_last', '|i1', (3,))]", "False", "(1,)", 1, 2, 3), "",
			", row 1, column x_last: found 3 coordinates; write 2 coordinates, or a state from 0 to 48"},
		{"chains", "a.npy", npyFile("[('log_w', '<f8')]", "False", "(3,)", doubles(1, 2, math.NaN())...),
			"", ", row 3, column log_w: found nan; write a number, -inf or inf"},
		{"chains", "a.npy", npyFile("[('x_last', '<f8')]", "False", "(3,)", doubles(1, 2, 3.5)...), "",
			", row 3, column x_last: found \"3.5\"; write a state from 0 to 48, or its coordinates as in 0;0"},
		{"chains", "a.npy", npyFile("[('x_last', '|i1')]", "False", "(3,)", 1, 2, 255), "",
			", row 3, column x_last: found -1; write a state from 0 to 48; states are numbered from 0, so " +
				"no state is negative"},
		{"chains", "a.npz", "PK", "",
			": found an archive that cannot be read: this is not a ZIP archive such as .npz, or it is cut " +
				"off (zip: not a valid zip file); write it again with numpy.savez"},
		{"draws", "a.csv", "mu\n1\n2\nred\n", "",
			", line 4 (row 3), column mu: found \"red\"; write a number in every row; map translates " +
				"words, column mu=none leaves the column out, and column mu=chain tells chains apart by it"},
		{"draws", "a.csv", "mu\n1,5\n", "",
			", line 2 (row 1), column mu: found \"1,5\"; write decimals with a point, and thousands " +
				"without a comma; map translates words, column mu=none leaves the column out, and column " +
				"mu=chain tells chains apart by it"},
		{"draws", "a.csv", "mu,mu\n1,2\n", "", ", line 1: found two columns mu; keep one of them"},
		{"draws", "a.csv", "chain,iter\n1,2\n",
			"", ", line 1: found no column of a variable; write one for each variable"},
		{"draws", "a.csv", "chain,chain_id,mu\n1,2,3\n", "",
			", line 1: found two columns of the role chain, chain and chain_id; keep the one that tells " +
				"all chains apart, or write such a column, and leave the other out, as in column chain_id=none"},
		{"draws", "a.csv", "chain,run,mu\n1,1,3\n1,2,3\n", "",
			", line 1: found two columns of the role chain, chain and run; keep the one that tells all " +
				"chains apart, or write such a column, and leave the other out, as in column run=none"},
		{"draws", "a.csv",
			"chain,group,mu\n1,1,.1\n1,1,.2\n1,1,.3\n1,1,.4\n1,2,.1\n1,2,.2\n1,2,.3\n1,2,.4\n2,1,.1\n" +
				"2,1,.2\n2,1,.3\n2,1,.4\n2,2,.1\n2,2,.2\n2,2,.3\n2,2,.4\n",
			"", ", line 1: found the column group, whose numbers never fall, stand in runs or come " +
				"again in the same order, and which may number chains or draws; give column group=chain, " +
				"column group=draw, or column group=variable"},
		{"draws", "a.csv", "walker,step,mu\n1,2,.1\n1,1,.2\n1,2,.3\n", "",
			", chain 1, column step: found 2 in two rows; number the draws of each chain, one row a draw"},
		{"draws", "a.csv", "lw,mu,weight\n1,2,3\n", "",
			", line 1: found two columns of weights, weight and lw; give one, as by column weight=none"},
		{"draws", "a.csv", "chain,mu\n1,2\nNA,3\n", "",
			", line 3 (row 2), column chain: found NA, a missing value; write the chain of every row, or " +
				"leave the column out with column chain=none"},
		{"draws", "a.csv", "chain,mu\n1,2\n,3\n", "",
			", line 3 (row 2), column chain: found an empty cell; write the chain of every row, or leave " +
				"the column out with column chain=none"},
		{"draws", "a.csv", "mu,count\n1,2\n", "",
			", line 1: found the column count, of which nothing says what it is; give column count=ROLE, " +
				"where ROLE is variable, chain, iteration, draw, warmup, weight, log-weight, name and " +
				"value, or none, which leaves it out"},
		{"draws", "a.csv", "iteration,mu\n1,2\n1,3\n", "",
			", line 3 (row 2), column iteration: found \"1\", and 1 before it; sort the rows so that the " +
				"numbers of the draws of each chain rise, one row a draw, with a column that tells chains " +
				"apart, as in column NAME=chain; if rows stand as they were drawn, column iteration=none " +
				"leaves the numbers out"},
		{"draws", "a.csv", "quantity,value\na,1\n", "",
			", line 2 (row 1), column quantity: found \"a\"; write a number in every row; map " +
				"translates words, column quantity=name says which variable each value is of, column " +
				"quantity=none leaves the column out, and column quantity=chain tells chains apart by it"},
		{"draws", "a.csv", "variable,value,mu\na,1,2\n", "",
			", line 1: found columns variable and value beside mu; write a row for each draw and variable " +
				"with the columns chain, draw, variable and value; column NAME=chain tells chains apart, " +
				"and column NAME=none leaves a column out"},
		{"draws", "a.csv", "variable,value\na,1\na,2\nb,1\n", "",
			", column b: found 1 draw; write as many draws of each variable as of a, which has 2"},
		{"draws", "a.csv", "group,mu\n1,.1\n1,.3\n1,.2\n1,.4\n2,.5\n2,.6\n2,.7\n2,.8\n", "",
			", line 1: found the column group, whose numbers never fall, stand in runs or come " +
				"again in the same order, and which may number chains or draws; give column group=chain, " +
				"column group=draw, or column group=variable"},
		{"draws", "a.csv", "t,mu\n1,.1\n2,.3\n3,.2\n4,.4\n1,.5\n2,.6\n3,.7\n4,.8\n", "",
			", line 1: found the column t, whose numbers never fall, stand in runs or come again in " +
				"the same order, and which may number chains or draws; give column t=chain, column " +
				"t=draw, or column t=variable"},
		{"draws", "a.csv", "group,mu\n4,.1\n4,.3\n4,.2\n4,.4\n3,.5\n3,.6\n3,.7\n3,.8\n", "",
			", line 1: found the column group, whose numbers never fall, stand in runs or come " +
				"again in the same order, and which may number chains or draws; give column group=chain, " +
				"column group=draw, or column group=variable"},
		{"draws", "a.csv", "k,mu\n7,.1\n2,.3\n9,.2\n4,.4\n7,.5\n2,.6\n9,.7\n4,.8\n7,.9\n", "",
			", line 1: found the column k, whose numbers never fall, stand in runs or come again in " +
				"the same order, and which may number chains or draws; give column k=chain, column " +
				"k=draw, or column k=variable"},
		{"draws", "a.csv", "temp,mu\n" + strings.Repeat("1.5,.1\n", 8) + strings.Repeat("0.5,.2\n", 8), "",
			", line 1: found the column temp, whose numbers never fall, stand in runs or come again in " +
				"the same order, and which may number chains or draws; give column temp=chain, column " +
				"temp=draw, or column temp=variable"},
		{"draws", "a.csv", "time,mu\n0.5,.1\n1,.3\n1.5,.2\n2,.4\n0.5,.1\n1,.6\n1.5,.7\n2,.8\n", "",
			", line 1: found the column time, whose numbers never fall, stand in runs or come again in " +
				"the same order, and which may number chains or draws; give column time=chain, column " +
				"time=draw, or column time=variable"},
		{"draws", "a.csv", "mu,weight\n1,-2\n", "",
			", line 2 (row 1), column weight: found \"-2\"; write a weight of 0 or more, or column weight=variable"},
		{"draws", "a.csv", "mu,warmup\n1,yes\n", "",
			", line 2 (row 1), column warmup: found \"yes\"; say of every row whether it is of the " +
				"warm-up, as 0 or 1, or give column warmup=variable"},
		{"draws", "a.csv", "mu\n" + strings.Repeat("1\n", 60), "",
			", line 52 (row 51): found more than 50 numbers; write fewer, such as every second draw, or " +
				"each chain by itself"},
		{"draws", "a.csv", stanHead + "lp__,mu\n1,2\n1,2\n", "",
			", line 8 (row 1): found 2 rows of the warm-up, of 2, and no draw after them; let the run finish"},
		{"draws", "a.csv", stanHead + "lp__,mu\n1,2\n# Adaptation terminated\n1,2\n1,3\n", "",
			", line 8 (row 1): found the end of the adaptation after 1 row, but save_warmup, num_warmup " +
				"and thin above the header give 2 of the warm-up; give the unchanged file of CmdStan, or " +
				"delete the rows above this line"},
		{"draws", "a.csv", strings.ReplaceAll(stanHead, "sample\n", "optimize\n") + "lp__,mu\n1,2\n", "",
			", line 6: found the output of CmdStan's method optimize, which is no Markov chain; give the " +
				"output of its method sample"},
		{"draws", "a.csv", strings.ReplaceAll(stanHead, "num_warmup", "warmup") + "lp__,mu\n1,2\n", "",
			", line 6: found save_warmup and no num_warmup in the comments above; keep the comments of " +
				"CmdStan, which say which draws belong to the warm-up"},
		{"draws", "a.npy", npyFile("'|u1'", "False", "(3, 2)", 1, 2, 3, 4, 5, 6), "",
			", column a: found an array of shape (3, 2); give shape draws,chains if it has 3 draws of 2 " +
				"chains, as emcee has them, shape draws if it has 3 draws of one chain, or shape " +
				"chains,draws if it has 2 draws of 3 chains"},
		{"draws", "a.npy", npyFile("'<U1'", "False", "(1,)", 1, 0, 0, 0),
			"", ": found text, dtype <U1; " + dtypes},
	} {
		path := write(t, c.name, c.content)
		roles := Roles{}
		if c.role != "" {
			name, role, err := ParseRole(c.role)
			if err != nil {
				t.Fatal(err)
			}
			roles[name] = role
		}
		var err error
		if c.kind == "chains" {
			_, err = readAll(path, Options{Space: grid7(), Roles: roles})
		} else {
			_, err = ReadDraws(context.Background(), []string{path},
				DrawsOptions{TableOptions: TableOptions{Roles: roles}, Most: 50})
		}
		if _, is := errors.AsType[*Error](err); !is {
			t.Errorf("%s %q: %v, which is no *Error", c.name, c.content, err)
			continue
		}
		if got := strings.TrimPrefix(err.Error(), path); got != c.want {
			t.Errorf("%s %q:\n got %s\nwant %s", c.name, c.content, got, c.want)
		}
	}
}

// TestNoFile: what is not a regular file, or cannot be unpacked, is refused at once.
func TestNoFile(t *testing.T) {
	dir := t.TempDir()
	if _, err := readAll(dir, Options{Space: grid7()}); err == nil ||
		!strings.Contains(err.Error(), "not a regular file but a folder") {
		t.Errorf("a folder: %v", err)
	}
	for _, c := range []struct{ name, content string }{
		{"a.csv", "\x1f\x8b\x08\x00\x00"}, {"a.npy", "\x1f\x8b\x08\x00\x00"},
		{"a.csv.gz", packed(t, strings.Repeat("log_w\n0.5\n", 99))[:40]},
		{"a.npy", packed(t, npyFile("'<f8'", "False", "(1,)", doubles(1)...))[:40]},
	} {
		path := write(t, c.name, c.content)
		_, err := readAll(path, Options{Space: grid7(), Alone: "log_w"})
		if _, is := errors.AsType[*Error](err); !is ||
			err.Error() != path+": found a file that cannot be unpacked: unexpected EOF; is it cut off?" {
			t.Errorf("a file that gzip has compressed, cut off: %v", err)
		}
	}
	if _, err := readAll(filepath.Join(dir, "none.csv"), Options{Space: grid7()}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
}

// TestGraphHasNoCoordinates: on a space without axes coordinates are refused in every form.
func TestGraphHasNoCoordinates(t *testing.T) {
	for content, want := range map[string]string{
		"x_last_0,x_last_1\n1,2\n": ", line 1: found the column x_last_0; write states as numbers from 0 " +
			"to 9: the states of this space have no coordinates",
		"x_last,log_w\n1;2,3\n": ", line 2 (row 1), column x_last: found 2 numbers; write one number, " +
			"a state from 0 to 9",
		"x_1\n1\n": ", line 1: found the column x_1; delete it: this task has no paths",
	} {
		path := write(t, "a.csv", content)
		_, err := readAll(path, Options{Space: draws.Space{States: 10}})
		if err == nil || err.Error() != path+want {
			t.Errorf("%q:\n got %v\nwant %s", content, err, want)
		}
	}
}
