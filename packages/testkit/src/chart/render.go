// Renders the chart with the parts of which Helm is made: Go's text/template, the functions of sprig, and its YAML. Run with
// Debian's golang-go, golang-github-masterminds-sprig-dev and golang-k8s-sigs-yaml-dev:
//
//	GO111MODULE=off GOPATH=/usr/share/gocode go run render.go CHART VALUES…
//
// Prints what the cluster would be given; says on stderr why there is nothing.
package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig"
	"sigs.k8s.io/yaml"
)

type values = map[string]interface{}

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func read(path string) values {
	text, err := os.ReadFile(path)
	must(err)
	found := values{}
	must(yaml.Unmarshal(text, &found))
	return found
}

// Lays one over the other, as Helm does: maps are joined, everything else is replaced.
func over(base, top values) values {
	for name, value := range top {
		inner, isMap := value.(values)
		below, wasMap := base[name].(values)
		if isMap && wasMap {
			base[name] = over(below, inner)
		} else {
			base[name] = value
		}
	}
	return base
}

func main() {
	chart := os.Args[1]
	all := read(filepath.Join(chart, "values.yaml"))
	for _, path := range os.Args[2:] {
		all = over(all, read(path))
	}
	about := read(filepath.Join(chart, "Chart.yaml"))
	named := values{}
	for name, value := range about {
		named[strings.ToUpper(name[:1])+name[1:]] = value
	}
	root := template.New("chart").Option("missingkey=zero")
	functions := sprig.TxtFuncMap()
	functions["include"] = func(name string, data interface{}) (string, error) {
		var text bytes.Buffer
		err := root.ExecuteTemplate(&text, name, data)
		return text.String(), err
	}
	functions["required"] = func(words string, value interface{}) (interface{}, error) {
		if value == nil || value == "" {
			return nil, errors.New(words)
		}
		return value, nil
	}
	functions["toYaml"] = func(value interface{}) (string, error) {
		text, err := yaml.Marshal(value)
		return strings.TrimSuffix(string(text), "\n"), err
	}
	root.Funcs(functions)
	paths, err := filepath.Glob(filepath.Join(chart, "templates", "*"))
	must(err)
	sort.Strings(paths)
	for _, path := range paths {
		text, err := os.ReadFile(path)
		must(err)
		_, err = root.New(filepath.Base(path)).Parse(string(text))
		must(err)
	}
	data := values{
		"Values":  all,
		"Chart":   named,
		"Release": values{"Name": "threadlore", "Namespace": "knowledge", "Service": "Helm"},
	}
	for _, path := range paths {
		name := filepath.Base(path)
		if strings.HasPrefix(name, "_") || strings.HasSuffix(name, ".txt") {
			// What is told after an installation has to render too.
			if strings.HasSuffix(name, ".txt") {
				must(root.ExecuteTemplate(&bytes.Buffer{}, name, data))
			}
			continue
		}
		var text bytes.Buffer
		must(root.ExecuteTemplate(&text, name, data))
		if strings.TrimSpace(text.String()) != "" {
			fmt.Printf("---\n%s\n", strings.TrimSpace(text.String()))
		}
	}
}
