{{- define "orgctx.image" -}}
{{ .Values.image.repository }}{{ if .Values.image.digest }}@{{ .Values.image.digest }}{{ else }}:{{ .Values.image.tag | default .Chart.AppVersion }}{{ end }}
{{- end }}

{{- define "orgctx.labels" -}}
app.kubernetes.io/name: orgctx
{{- end }}

{{- /* Needs the id of a user of the image. */ -}}
{{- define "orgctx.pod" -}}
automountServiceAccountToken: false
securityContext:
  runAsNonRoot: true
  runAsUser: {{ . }}
  runAsGroup: {{ . }}
  fsGroup: {{ . }}
  fsGroupChangePolicy: OnRootMismatch
  seccompProfile: {type: RuntimeDefault}
{{- end }}

{{- define "orgctx.restricted" -}}
securityContext:
  readOnlyRootFilesystem: true
  allowPrivilegeEscalation: false
  capabilities: {drop: [ALL]}
{{- end }}

{{- /* The environment of the commands that write. */ -}}
{{- define "orgctx.admin" -}}
envFrom:
  - configMapRef: {name: orgctx, optional: true}
  - secretRef: {name: {{ .Values.secrets.service }}}
  - secretRef: {name: {{ .Values.secrets.admin }}}
  - secretRef: {name: {{ .Values.secrets.desk }}, optional: true}
{{- end }}
