{{- define "threadlore.name" -}}
{{- if contains .Chart.Name .Release.Name }}{{ .Release.Name | trunc 50 | trimSuffix "-" }}{{ else }}{{ printf "%s-%s" .Release.Name .Chart.Name | trunc 50 | trimSuffix "-" }}{{ end }}
{{- end }}

{{- define "threadlore.labels" -}}
app.kubernetes.io/name: threadlore
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "threadlore.allLabels" -}}
{{ include "threadlore.labels" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{- /* An image by its digest, else its tag, else the chart's version. Takes a list: the image, the chart. */ -}}
{{- define "threadlore.image" -}}
{{- $image := index . 0 }}{{ $chart := index . 1 }}
{{- if $image.digest }}{{ $image.repository }}@{{ $image.digest }}{{ else }}{{ $image.repository }}:{{ $image.tag | default $chart.AppVersion }}{{ end }}
{{- end }}

{{- /* What every pod runs as: "restricted" of the Pod Security Standards. Secrets are lent to its group. */ -}}
{{- define "threadlore.podSecurity" -}}
runAsNonRoot: true
runAsUser: 1000
runAsGroup: 1000
fsGroup: 1000
fsGroupChangePolicy: OnRootMismatch
seccompProfile:
  type: RuntimeDefault
{{- end }}

{{- define "threadlore.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end }}

{{- define "threadlore.port" -}}
{{ if .Values.tls.existingSecret }}8443{{ else }}8411{{ end }}
{{- end }}

{{- /* A question for health by the name people use: a pod's own address is no name of it behind a proxy. */ -}}
{{- define "threadlore.health" -}}
httpGet:
  path: /health
  port: http
  scheme: {{ if .Values.tls.existingSecret }}HTTPS{{ else }}HTTP{{ end }}
  httpHeaders:
    - name: Host
      value: {{ .Values.host | quote }}
{{- end }}

{{- define "threadlore.claim" -}}
metadata:
  name: data
spec:
  accessModes: [ReadWriteOnce]
  {{- with .className }}
  storageClassName: {{ . }}
  {{- end }}
  resources:
    requests:
      storage: {{ .size }}
{{- end }}

{{- define "threadlore.dns" -}}
- ports:
    - { port: 53, protocol: UDP }
    - { port: 53, protocol: TCP }
{{- end }}
